import { Worker } from "node:worker_threads";
import type { HashedText } from "../../port/engine.ts";
import type { JobTableQuery } from "../../journal/read-job-table.ts";

/** Arguments of the thread for reading the log. */
export interface JobTableThreadData {
  /** Absolute path of the log. */
  readonly database: string;
}

export type JobTableQuestion =
  | { readonly kind: "order"; readonly runId: string; readonly query: JobTableQuery; readonly nowMs: number }
  | { readonly kind: "times"; readonly runId: string; readonly after: number };

export interface JobTableRequest {
  readonly id: number;
  readonly question: JobTableQuestion;
}

interface Order {
  readonly order: Uint32Array<ArrayBuffer>;
}
type Times = HashedText<Uint8Array<ArrayBuffer>>;

export type JobTableAnswer =
  | { readonly id: number; readonly answer: Order | Times }
  | { readonly id: number; readonly failure: string };

type Waiter = PromiseWithResolvers<Order | Times>;

/**
 * A thread with its own connection to the log that scans all jobs of a run: for 100,000 jobs this takes a tenth of a
 * second, and the server answers other requests meanwhile. It starts when it is first needed, keeps the process alive
 * only during a request, and the next request replaces a failed one.
 */
export class JobTableThread {
  readonly #data: JobTableThreadData;
  readonly #waiting = new Map<number, Waiter>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(data: JobTableThreadData) {
    this.#data = data;
  }

  async order(runId: string, query: JobTableQuery, nowMs: number): Promise<Uint32Array> {
    const answer = await this.#ask({ kind: "order", runId, query, nowMs });
    if ("order" in answer) return answer.order;
    throw unexpected();
  }

  /** The JSON of part of the jobs. */
  async times(runId: string, after: number): Promise<HashedText> {
    const answer = await this.#ask({ kind: "times", runId, after });
    if ("bytes" in answer) return { bytes: Buffer.from(answer.bytes.buffer), sha256: answer.sha256 };
    throw unexpected();
  }

  /** Ends the thread. Requests that wait for it fail. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(question: JobTableQuestion): Promise<Order | Times> {
    const id = ++this.#lastId;
    const waiter = Promise.withResolvers<Order | Times>();
    this.#waiting.set(id, waiter);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage({ id, question } satisfies JobTableRequest);
    return waiter.promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./job-table-worker.ts", import.meta.url), { workerData: this.#data });
    worker.on("message", (answer: JobTableAnswer) => {
      const waiter = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) worker.unref();
      if ("answer" in answer) waiter?.resolve(answer.answer);
      else waiter?.reject(new Error(answer.failure));
    });
    const end = (why: unknown) => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const waiter of this.#waiting.values())
        waiter.reject(new Error("the thread of job tables ended", { cause: why }));
      this.#waiting.clear();
    };
    worker.once("error", end);
    worker.once("exit", end);
    return worker;
  }
}

function unexpected(): Error {
  return new Error("the thread of job tables sent an answer of the wrong kind");
}
