import type { ScriptEngine, ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { scriptFailure } from "./script-failure.ts";
import { ScriptLane } from "./script-lane.ts";
import type { ScriptTask } from "./script-lane.ts";
import type { ScriptResult } from "./script-machine.ts";

/** For one expression, with its library. */
export const DEFAULT_EVAL_TIMEOUT_MS = 20_000;
const MAX_LANES = 4;

/**
 * The sandbox for JavaScript of documents: QuickJS, compiled to WebAssembly, in threads that are started when they are
 * needed. Scripts of all jobs share one thread as long as they are quick; those that stand behind a slow one move on to
 * another, so that a job with an endless loop costs the others nothing. No script has access to anything.
 */
export class Sandbox implements ScriptEngine {
  readonly #timeoutMs: number;
  #lanes: ScriptLane[] = [];

  constructor(timeoutMs: number = DEFAULT_EVAL_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  async run(request: ScriptRequest): Promise<CwlValue> {
    const { form, code, library } = request;
    const timeoutMs = this.#timeoutMs;
    const variables = Object.entries(request.variables).map(
      ([name, value]) => [name, JSON.stringify(value ?? null)] as const,
    );
    const result = await new Promise<ScriptResult>((settle) =>
      this.#place({ call: { form, code, library, variables, timeoutMs }, settle }),
    );
    if (result.kind !== "value") throw scriptFailure(result, request, timeoutMs);
    return JSON.parse(result.json) as CwlValue; // written by JSON.stringify
  }

  async close(): Promise<void> {
    const lanes = this.#lanes;
    this.#lanes = [];
    await Promise.all(lanes.map((lane) => lane.close()));
  }

  #place(task: ScriptTask): void {
    const quick = this.#lanes.find((lane) => !lane.isSlow);
    (quick ?? this.#openLane() ?? this.#shortestLane()).ask(task);
  }

  #openLane(): ScriptLane | undefined {
    if (this.#lanes.length >= MAX_LANES) return undefined;
    const lane = new ScriptLane({
      onSlow: (slow) => {
        for (const task of slow.takeWaiting()) this.#place(task);
      },
      onEnd: (ended, left) => {
        this.#lanes = this.#lanes.filter((other) => other !== ended);
        for (const task of left) this.#place(task);
      },
    });
    this.#lanes.push(lane);
    return lane;
  }

  /** All are slow: this one's script ends, or is ended, and what waits behind it goes on. */
  #shortestLane(): ScriptLane {
    return this.#lanes.reduce((shortest, lane) => (lane.size < shortest.size ? lane : shortest));
  }
}
