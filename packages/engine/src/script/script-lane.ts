import { Worker } from "node:worker_threads";
import type { ScriptCall, ScriptResult } from "./script-machine.ts";
import type { ScriptAnswer, ScriptQuestion } from "./script-worker.ts";

export interface ScriptTask {
  readonly call: ScriptCall;
  readonly settle: (result: ScriptResult) => void;
}

export interface LaneOptions {
  /** Told once, when a script takes so long that others should not stand behind it. */
  readonly onSlow: (lane: ScriptLane) => void;
  /** Told when the slow script has ended and the lane takes others again. */
  readonly onQuick: () => void;
  /** Told when the thread is gone or must not be asked again, with the tasks that nobody has begun. */
  readonly onEnd: (lane: ScriptLane, left: readonly ScriptTask[]) => void;
}

const TICK_MS = 100;
const SLOW_MS = 300;
/** Native loops of the interpreter do not see its interrupt; after this much longer the thread is ended. */
const HARD_STOP_MS = 1000;

/** One thread that evaluates scripts one after the other. A script that harms it harms no other. */
export class ScriptLane {
  readonly #options: LaneOptions;
  readonly #worker = new Worker(new URL("./script-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 8 },
  });
  /** In the order of asking: the first is being evaluated. */
  readonly #tasks = new Map<number, ScriptTask>();
  #lastId = 0;
  #clock: NodeJS.Timeout | undefined;
  /** Of the first task. A process that was stopped for a while must not find its scripts too late: ticks are counted. */
  #ageMs = 0;
  #isSlow = false;
  #hasLeft = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#worker.unref();
    this.#worker.on("message", (answer: ScriptAnswer | object) => {
      // Node's watch mode sends messages of its own through a worker's port.
      if ("result" in answer) this.#hear(answer);
    });
    this.#worker.on("error", (error) =>
      this.#fail({ kind: "threw", words: `the interpreter ended: ${String(error)}` }),
    );
  }

  get isSlow(): boolean {
    return this.#isSlow;
  }

  ask(task: ScriptTask): void {
    const id = ++this.#lastId;
    this.#tasks.set(id, task);
    if (this.#tasks.size === 1) this.#begin();
    this.#worker.postMessage({ id, call: task.call } satisfies ScriptQuestion);
  }

  /** Hands over what stands behind the slow script. */
  takeWaiting(): readonly ScriptTask[] {
    const [, ...waiting] = this.#tasks;
    for (const [id] of waiting) this.#tasks.delete(id);
    this.#hasLeft ||= waiting.length > 0;
    return waiting.map(([, task]) => task);
  }

  async close(): Promise<void> {
    clearInterval(this.#clock);
    this.#tasks.clear();
    await this.#worker.terminate();
  }

  #begin(): void {
    this.#ageMs = 0;
    this.#isSlow = false;
    this.#worker.ref();
    this.#clock ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  #tick(): void {
    const [task] = this.#tasks.values();
    if (task === undefined) return;
    this.#ageMs += TICK_MS;
    if (this.#ageMs >= SLOW_MS && !this.#isSlow) {
      this.#isSlow = true;
      this.#options.onSlow(this);
    }
    if (this.#ageMs >= task.call.timeoutMs + HARD_STOP_MS) this.#fail({ kind: "late" });
  }

  #hear({ id, result }: ScriptAnswer): void {
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    this.#tasks.delete(id);
    const wasSlow = this.#isSlow;
    // Tasks that were handed over still stand in the thread's queue: it is not worth waiting for them.
    if (this.#hasLeft) this.#end();
    else if (this.#tasks.size > 0) this.#begin();
    else this.#rest();
    task.settle(result);
    if (wasSlow) this.#options.onQuick();
  }

  #rest(): void {
    this.#isSlow = false;
    clearInterval(this.#clock);
    this.#clock = undefined;
    this.#worker.unref();
  }

  #fail(result: ScriptResult): void {
    const [first] = this.#tasks;
    if (first !== undefined) this.#tasks.delete(first[0]);
    this.#end();
    first?.[1].settle(result);
  }

  #end(): void {
    const left = [...this.#tasks.values()];
    void this.close();
    this.#options.onEnd(this, left);
  }
}
