import { Worker } from "node:worker_threads";
import { sendSignal } from "./kill-marked.ts";
import type { ProcessTable } from "./kill-marked.ts";

export interface ScanAnswer {
  readonly id: number;
  readonly pids: readonly number[];
}

interface Question {
  readonly resolve: (pids: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Looks through the environments of all processes in a thread of its own, which starts with the first question: on a
 * machine with thousands of processes a scan takes longer than a server may stand still.
 */
export class ProcScanner {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #questions = new Map<number, Question>();

  readonly table: ProcessTable = { marked: (marker) => this.#ask(marker), signal: sendSignal };

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(marker: string): Promise<readonly number[]> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#questions.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, marker });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./proc-scan-worker.ts", import.meta.url));
    // Node's watch mode sends messages of its own through a worker's port.
    worker.on("message", (answer: ScanAnswer | object) => {
      if ("pids" in answer) this.#answer(worker, answer);
    });
    worker.on("error", (error) => this.#fail(worker, new Error("processes could not be looked at", { cause: error })));
    worker.on("exit", () => this.#fail(worker, new Error("the look at the processes was ended")));
    return worker;
  }

  #answer(worker: Worker, { id, pids }: ScanAnswer): void {
    this.#questions.get(id)?.resolve(pids);
    this.#questions.delete(id);
    if (this.#questions.size === 0) worker.unref();
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#questions.values()) reject(error);
    this.#questions.clear();
  }
}
