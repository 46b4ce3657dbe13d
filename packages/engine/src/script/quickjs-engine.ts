import type { ScriptEngine, ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { scriptFailure, type ScriptBounds } from "./script-failure.ts";
import { ScriptThread, type ScriptTask } from "./script-thread.ts";
import type { ScriptResult } from "./script-machine.ts";

/** The time limit of one expression, including its library. */
export const DEFAULT_EVAL_TIMEOUT_MS = 20_000;
const MAX_THREADS = 4;

/**
 * The sandbox for JavaScript of documents: QuickJS, compiled to WebAssembly, in threads that start on demand. Scripts
 * of all jobs share one thread while they are quick; those behind a slow one move to another, so that a job with an
 * endless loop does not delay others. No script can access anything outside. The number of interpreters is limited, and
 * a waiting script holds no copy of its variables.
 */
export class QuickJsEngine implements ScriptEngine {
  readonly #bounds: ScriptBounds;
  #threads: ScriptThread[] = [];
  /** Scripts that wait for a thread, in order. */
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
    const threads = this.#threads;
    this.#isClosed = true;
    this.#threads = [];
    this.#waiting.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  #place(): void {
    for (const task of this.#waiting) {
      const thread = this.#threads.find(({ isSlow }) => !isSlow) ?? this.#openThread();
      if (thread?.canAccept !== true) return;
      this.#waiting.delete(task);
      thread.ask(task);
    }
  }

  /** Scripts that were already assigned to a thread come first. */
  #placeAgain(tasks: readonly ScriptTask[]): void {
    this.#waiting = new Set([...tasks, ...this.#waiting]);
    this.#place();
  }

  #openThread(): ScriptThread | undefined {
    if (this.#isClosed || this.#threads.length >= MAX_THREADS) return undefined;
    const thread = new ScriptThread({
      bounds: this.#bounds,
      onSlow: (slow) => this.#placeAgain(slow.takeWaiting()),
      onFree: () => this.#place(),
      onEnd: (ended, left) => {
        this.#threads = this.#threads.filter((other) => other !== ended);
        this.#placeAgain(left);
      },
    });
    this.#threads.push(thread);
    return thread;
  }
}
