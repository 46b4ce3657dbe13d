import { Worker } from "node:worker_threads";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { ScriptEngine, ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { ScriptAnswer } from "./script-worker.ts";

const TIMEOUT_MS = 5000;
/** Native loops of the interpreter do not see its interrupt; after this much longer the thread is ended. */
const HARD_STOP_MS = 2000;

interface Waiter {
  readonly resolve: (value: CwlValue) => void;
  readonly reject: (error: CwlFailure) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The sandbox for JavaScript of documents: QuickJS, compiled to WebAssembly, in a worker thread that is started with the
 * first script and ended when a script does not stop. Time limit 5 s, memory limit 64 MiB, no access to anything.
 */
export class Sandbox implements ScriptEngine {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #waiters = new Map<number, Waiter>();

  run(request: ScriptRequest): Promise<CwlValue> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const worker = (this.#worker ??= this.#startWorker());
      // Questions queue in the thread: the clock of the hard stop starts anew with each answer (see #hear).
      const timer = setTimeout(
        () => this.#stopWorker(worker, `did not end within ${TIMEOUT_MS / 1000} s`),
        TIMEOUT_MS + HARD_STOP_MS,
      );
      this.#waiters.set(id, { resolve, reject, timer });
      if (this.#waiters.size === 1) worker.ref();
      worker.postMessage({ id, timeoutMs: TIMEOUT_MS, request });
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL("./script-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    worker.on("message", (answer: ScriptAnswer) => this.#hear(worker, answer));
    worker.on("error", (error) => this.#stopWorker(worker, String(error)));
    return worker;
  }

  #hear(worker: Worker, answer: ScriptAnswer): void {
    const waiter = this.#waiters.get(answer.id);
    if (waiter === undefined) return;
    this.#waiters.delete(answer.id);
    clearTimeout(waiter.timer);
    for (const other of this.#waiters.values()) other.timer.refresh();
    if (this.#waiters.size === 0) worker.unref();
    if ("json" in answer) waiter.resolve(JSON.parse(answer.json) as CwlValue);
    else waiter.reject(new CwlFailure("EXPRESSION", answer.message));
  }

  #stopWorker(worker: Worker, message: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    const waiters = [...this.#waiters.values()];
    this.#waiters.clear();
    for (const waiter of waiters) {
      clearTimeout(waiter.timer);
      waiter.reject(new CwlFailure("EXPRESSION", message));
    }
  }
}
