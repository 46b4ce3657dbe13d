import type { ScriptEngine, ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { scriptFailure } from "./script-failure.ts";
import type { ScriptBounds } from "./script-failure.ts";
import { ScriptLane } from "./script-lane.ts";
import type { ScriptTask } from "./script-lane.ts";
import type { ScriptResult } from "./script-machine.ts";

/** For one expression, including its library. */
export const DEFAULT_EVAL_TIMEOUT_MS = 20_000;
const MAX_LANES = 4;

/**
 * The sandbox for JavaScript of documents: QuickJS, compiled to WebAssembly, in threads that start on demand. Scripts
 * of all jobs share one thread while they are quick; those behind a slow one move to another, so that a job with an
 * endless loop does not delay others. No script can access anything outside. There are never more interpreters than
 * lanes, and a waiting script holds no copy of its variables.
 */
export class QuickJsEngine implements ScriptEngine {
  readonly #bounds: ScriptBounds;
  #lanes: ScriptLane[] = [];
  /** Scripts that wait for a lane, in order. */
  #waiting = new Set<ScriptTask>();
  #isClosed = false;

  constructor(timeoutMs: number = DEFAULT_EVAL_TIMEOUT_MS, memoryBytes: number = DEFAULT_LIMITS.expressionMemoryBytes) {
    this.#bounds = { timeoutMs, memoryBytes };
  }

  async run(request: ScriptRequest): Promise<unknown> {
    const result = await new Promise<ScriptResult>((settle) => {
      this.#waiting.add({ request, settle });
      this.#place();
    });
    if (result.kind !== "value") throw scriptFailure(result, request, this.#bounds);
    return JSON.parse(result.json);
  }

  async close(): Promise<void> {
    const lanes = this.#lanes;
    this.#isClosed = true;
    this.#lanes = [];
    this.#waiting.clear();
    await Promise.all(lanes.map((lane) => lane.close()));
  }

  #place(): void {
    for (const task of this.#waiting) {
      const lane = this.#lanes.find(({ isSlow }) => !isSlow) ?? this.#openLane();
      if (lane?.hasRoom !== true) return;
      this.#waiting.delete(task);
      lane.ask(task);
    }
  }

  /** Scripts that already had a lane come first. */
  #placeAgain(tasks: readonly ScriptTask[]): void {
    this.#waiting = new Set([...tasks, ...this.#waiting]);
    this.#place();
  }

  #openLane(): ScriptLane | undefined {
    if (this.#isClosed || this.#lanes.length >= MAX_LANES) return undefined;
    const lane = new ScriptLane({
      bounds: this.#bounds,
      onSlow: (slow) => this.#placeAgain(slow.takeWaiting()),
      onRoom: () => this.#place(),
      onEnd: (ended, left) => {
        this.#lanes = this.#lanes.filter((other) => other !== ended);
        this.#placeAgain(left);
      },
    });
    this.#lanes.push(lane);
    return lane;
  }
}
