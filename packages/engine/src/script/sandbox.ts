import type { ScriptEngine, ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
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
  /** For which there is no lane without a slow script. */
  #waiting: ScriptTask[] = [];

  constructor(timeoutMs: number = DEFAULT_EVAL_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  async run(request: ScriptRequest): Promise<unknown> {
    const { form, code, library } = request;
    const timeoutMs = this.#timeoutMs;
    const variables = Object.entries(request.variables).map(
      ([name, value]) => [name, JSON.stringify(value ?? null)] as const,
    );
    const result = await new Promise<ScriptResult>((settle) =>
      this.#place({ call: { form, code, library, variables, timeoutMs }, settle }),
    );
    if (result.kind !== "value") throw scriptFailure(result, request, timeoutMs);
    return JSON.parse(result.json);
  }

  async close(): Promise<void> {
    const lanes = this.#lanes;
    this.#lanes = [];
    this.#waiting = [];
    await Promise.all(lanes.map((lane) => lane.close()));
  }

  #place(task: ScriptTask): void {
    const lane = this.#lanes.find(({ isSlow }) => !isSlow) ?? this.#openLane();
    if (lane === undefined) this.#waiting.push(task);
    else lane.ask(task);
  }

  #placeAll(tasks: readonly ScriptTask[]): void {
    for (const task of tasks) this.#place(task);
  }

  #openLane(): ScriptLane | undefined {
    if (this.#lanes.length >= MAX_LANES) return undefined;
    const lane = new ScriptLane({
      onSlow: (slow) => this.#placeAll(slow.takeWaiting()),
      onQuick: () => this.#placeAll(this.#waiting.splice(0)),
      onEnd: (ended, left) => {
        this.#lanes = this.#lanes.filter((other) => other !== ended);
        this.#placeAll([...this.#waiting.splice(0), ...left]);
      },
    });
    this.#lanes.push(lane);
    return lane;
  }
}
