import { Worker } from "node:worker_threads";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { CallerGate } from "../provenance/thread/caller-gate.ts";
import type { Caller } from "../port/engine.ts";
import type { DatasetAnswer, DatasetAnswers, DatasetRequest, DatasetTask, DatasetThreadData } from "./dataset-task.ts";

const MAX_MS = 120_000;
const MEMORY_MB = 2048;

/**
 * A thread that reads datasets: a folder of 25,000 files takes a second, and the server answers other requests
 * meanwhile. It reads one dataset at a time, and callers take turns. It starts when it is first needed and keeps the
 * process alive only during a request; the next request replaces one that has failed or hangs in a lost disk.
 */
export class DatasetThread {
  readonly #data: DatasetThreadData;
  readonly #gate = new CallerGate(1);
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(data: DatasetThreadData) {
    this.#data = data;
  }

  ask<Kind extends DatasetTask["kind"]>(
    caller: Caller,
    task: Extract<DatasetTask, { readonly kind: Kind }>,
  ): Promise<DatasetAnswers[Kind]> {
    // The thread answers each kind of task with the matching type, but messages are untyped.
    return this.#gate.pass(caller.principal, () => this.#send(caller, task)) as Promise<DatasetAnswers[Kind]>;
  }

  /** Ends the thread. Requests that wait for it fail. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #send({ principal, othersRuns, links: { base } }: Caller, task: DatasetTask): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<DatasetAnswer>();
    const id = ++this.#lastId;
    const worker = (this.#worker ??= this.#start());
    const onMessage = (answer: DatasetAnswer) => {
      if (answer.id === id) resolve(answer);
    };
    const onEnd = (why: unknown) => reject(new Error("the thread of datasets ended", { cause: why }));
    const timer = setTimeout(() => {
      void worker.terminate();
      reject(
        new Refusal("invalid-parameters", "Reading the folder takes longer than two minutes. Choose a smaller one."),
      );
    }, MAX_MS);
    worker.on("message", onMessage).once("error", onEnd).once("exit", onEnd);
    worker.ref();
    worker.postMessage({ id, task, caller: { principal, othersRuns, base } } satisfies DatasetRequest);
    try {
      return contentOf(await promise);
    } finally {
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      worker.unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL("./dataset-worker.ts", import.meta.url), {
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.once("error", forget).once("exit", forget);
    return worker;
  }
}

function contentOf(answer: DatasetAnswer): unknown {
  if ("answer" in answer) return answer.answer;
  const { code, message, errors } = answer.failure;
  throw code === undefined ? new Error(message) : new Refusal(code, message, { errors });
}
