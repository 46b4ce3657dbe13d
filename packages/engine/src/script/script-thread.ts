import { Worker } from "node:worker_threads";
import type { ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import type { ScriptBounds } from "./script-failure.ts";
import type { ScriptCall, ScriptResult } from "./script-machine.ts";
import type { ScriptAnswer, ScriptQuestion, ScriptReady } from "./script-worker.ts";

export interface ScriptTask {
  readonly request: ScriptRequest;
  readonly settle: (result: ScriptResult) => void;
}

export interface ScriptThreadOptions {
  readonly bounds: ScriptBounds;
  /** Called once, when a script takes so long that others should not wait behind it. */
  readonly onSlow: (thread: ScriptThread) => void;
  /** Called when a script has finished and the thread can accept another. */
  readonly onFree: () => void;
  /** Called with the unstarted tasks when the thread and its memory are gone. */
  readonly onEnd: (thread: ScriptThread, left: readonly ScriptTask[]) => void;
}

const TICK_MS = 100;
const SLOW_MS = 300;
/** Native loops of the interpreter ignore its interrupt; after this much longer, the thread is terminated. */
const HARD_STOP_MS = 1000;
/** Tasks passed to a thread in advance keep it busy; tasks that wait elsewhere hold no copies of their variables. */
const MAX_TASKS = 64;
const MAX_CHARS = 4 << 20;
/** The interpreter keeps a text and its parsed form, so a text longer than 1/TEXT_SHARE of the memory never fits. */
const TEXT_SHARE = 3;

/** One thread that evaluates scripts one after the other. A script that damages it affects no other. */
export class ScriptThread {
  readonly #options: ScriptThreadOptions;
  readonly #worker: Worker;
  /** The tasks in order of arrival; the first one is being evaluated. */
  readonly #tasks = new Map<number, PostedTask>();
  #postedChars = 0;
  #lastId = 0;
  #clock: NodeJS.Timeout | undefined;
  /**
   * The age of the first task, counted in ticks, so that scripts are not late after the process was stopped for a
   * while.
   */
  #ageMs = 0;
  /** False until the thread has started: a script's time does not include that of the start. */
  #isReady = false;
  #isSlow = false;
  #hasLeft = false;
  #isEnding = false;

  constructor(options: ScriptThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(new URL("./script-worker.ts", import.meta.url), {
      workerData: options.bounds.memoryBytes,
      resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 8 },
    });
    this.#worker.unref();
    this.#worker.on("message", (message: ScriptReady | ScriptAnswer | object) => {
      // Node's watch mode also sends messages through a worker's port.
      if ("isReady" in message) this.#isReady = true;
      else if ("result" in message) this.#handle(message);
    });
    this.#worker.on("error", (error) =>
      this.#fail({ kind: "threw", words: `the interpreter ended: ${String(error)}` }),
    );
  }

  /** True if a slow script is being evaluated, or the thread is about to end. */
  get isSlow(): boolean {
    return this.#isSlow || this.#isEnding;
  }

  get canAccept(): boolean {
    return !this.isSlow && this.#tasks.size < MAX_TASKS && this.#postedChars < MAX_CHARS;
  }

  ask({ request, settle }: ScriptTask): void {
    const { timeoutMs, memoryBytes } = this.#options.bounds;
    const variables = jsonOf(request, memoryBytes / TEXT_SHARE);
    if (variables === undefined) return settle({ kind: "out-of-memory" });
    const chars = variables.reduce((sum, [, json]) => sum + json.length, 0);
    const id = ++this.#lastId;
    this.#tasks.set(id, { request, settle, chars });
    this.#postedChars += chars;
    if (this.#tasks.size === 1) this.#begin();
    const { form, code, library } = request;
    this.#worker.postMessage({ id, call: { form, code, library, variables, timeoutMs } } satisfies ScriptQuestion);
  }

  /** Returns the tasks that wait behind the slow script. */
  takeWaiting(): readonly ScriptTask[] {
    const [, ...waiting] = this.#tasks;
    for (const [id] of waiting) this.#take(id);
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
    if (task === undefined || !this.#isReady) return;
    this.#ageMs += TICK_MS;
    if (this.#ageMs >= SLOW_MS && !this.#isSlow) {
      this.#isSlow = true;
      this.#options.onSlow(this);
    }
    if (this.#ageMs >= this.#options.bounds.timeoutMs + HARD_STOP_MS) this.#fail({ kind: "late" });
  }

  #handle({ id, result, isSpent }: ScriptAnswer): void {
    const task = this.#take(id);
    if (task === undefined) return;
    // Tasks that were handed over are still in the thread's queue: waiting for them is not worthwhile.
    if (this.#hasLeft || isSpent) void this.#end();
    else if (this.#tasks.size > 0) this.#begin();
    else this.#rest();
    task.settle(result);
    this.#options.onFree();
  }

  #take(id: number): PostedTask | undefined {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    this.#postedChars -= task?.chars ?? 0;
    return task;
  }

  #rest(): void {
    this.#isSlow = false;
    clearInterval(this.#clock);
    this.#clock = undefined;
    this.#worker.unref();
  }

  #fail(result: ScriptResult): void {
    const [first] = this.#tasks.keys();
    const task = first === undefined ? undefined : this.#take(first);
    void this.#end();
    task?.settle(result);
  }

  async #end(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const left = [...this.#tasks.values()];
    await this.close();
    this.#options.onEnd(this, left);
  }
}

interface PostedTask extends ScriptTask {
  readonly chars: number;
}

/** The variables as JSON texts; undefined, without creating them, if they would exceed `most` characters. */
function jsonOf({ variables }: ScriptRequest, most: number): ScriptCall["variables"] | undefined {
  if (leastChars(variables, most) > most) return undefined;
  const texts = Object.entries(variables).map(([name, value]) => [name, JSON.stringify(value ?? null)] as const);
  return texts.reduce((sum, [, json]) => sum + json.length, 0) > most ? undefined : texts;
}

/** A lower bound for the characters in the JSON text of a value; stops counting beyond `most`. */
function leastChars(value: unknown, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 1;
  let chars = 2;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    chars += 1 + leastChars(member, most - chars);
    if (chars > most) break;
  }
  return chars;
}
