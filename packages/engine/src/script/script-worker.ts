import { parentPort, workerData } from "node:worker_threads";
import { ScriptMachine, type ScriptCall, type ScriptResult } from "./script-machine.ts";

export interface ScriptQuestion {
  readonly id: number;
  readonly call: ScriptCall;
}
export interface ScriptAnswer {
  readonly id: number;
  readonly result: ScriptResult;
  /** True if the thread must end without evaluating more scripts, because only that frees its memory immediately. */
  readonly isSpent: boolean;
}

/** The first message: the interpreter has been loaded. */
export interface ScriptReady {
  readonly isReady: true;
}

const loading = ScriptMachine.load(workerData as number); // the memory in bytes, set by script-thread.ts
void loading.then(() => parentPort?.postMessage({ isReady: true } satisfies ScriptReady));
let isBusy = false;
const waiting: ScriptQuestion[] = [];

parentPort?.on("message", (question: ScriptQuestion) => {
  waiting.push(question);
  if (!isBusy) void answerAll();
});

/** Evaluates scripts one after the other, in order of arrival. */
async function answerAll(): Promise<void> {
  isBusy = true;
  const machine = await loading;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const result = machine.evaluate(next.call);
    const { isSpent } = machine;
    parentPort?.postMessage({ id: next.id, result, isSpent } satisfies ScriptAnswer);
    if (isSpent) return;
  }
  isBusy = false;
}
