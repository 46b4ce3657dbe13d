import { parentPort } from "node:worker_threads";
import { ScriptMachine } from "./script-machine.ts";
import type { ScriptCall, ScriptResult } from "./script-machine.ts";

export interface ScriptQuestion {
  readonly id: number;
  readonly call: ScriptCall;
}
export interface ScriptAnswer {
  readonly id: number;
  readonly result: ScriptResult;
}

let machine = ScriptMachine.load();
let isBusy = false;
const waiting: ScriptQuestion[] = [];

parentPort?.on("message", (question: ScriptQuestion) => {
  waiting.push(question);
  if (!isBusy) void answerAll();
});

/** One after the other, in the order of asking. */
async function answerAll(): Promise<void> {
  isBusy = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const current = await machine;
    const result = current.evaluate(next.call);
    if (current.isSpent) machine = ScriptMachine.load();
    parentPort?.postMessage({ id: next.id, result } satisfies ScriptAnswer);
  }
  isBusy = false;
}
