import { Readable } from "node:stream";
import { MessageChannel, Worker } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import type { RunLineage } from "@weft/shared/records/lineage-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Caller, HashedText } from "../../port/engine.ts";
import type { InsightAnswers, InsightTask } from "../../insight/insight-tasks.ts";
import type { Log } from "../../log.ts";
import type { ResultPage } from "../../present/result-rows.ts";
import type { TableTask } from "../../table/sample-tables.ts";
import { CallerGate } from "./caller-gate.ts";
import type {
  ArchiveBlock,
  FillTask,
  LineageTask,
  ProvenanceAnswer,
  ProvenanceFailure,
  ProvenanceRequest,
  ProvenanceTask,
  ProvenanceText,
  ProvenanceThreadData,
  ResultsTask,
} from "./provenance-task.ts";

export interface ProvenanceThreadsOptions {
  readonly data: ProvenanceThreadData;
  /** Called with the reason when a thread fails. */
  readonly log: Log;
}

const MAX_THREADS = 2;

/**
 * Threads with their own connections to the log that build documents about whole runs. For a run with thousands of jobs
 * that takes seconds, and the server answers other requests meanwhile. Each thread builds one document at a time, and
 * each caller gets one at a time, so that no caller has to wait for all documents of another one. A thread starts when
 * it is first needed and never keeps the process alive; the next request replaces a failed one.
 */
export class ProvenanceThreads {
  readonly #options: ProvenanceThreadsOptions;
  readonly #gate = new CallerGate(MAX_THREADS);
  readonly #running = new Set<Worker>();
  readonly #idle = new Set<Worker>();

  constructor(options: ProvenanceThreadsOptions) {
    this.#options = options;
  }

  text(caller: Caller, kind: ProvenanceText, runId: string): Promise<HashedText> {
    return this.#text(caller, { kind, runId });
  }

  /** A record of a run as JSON, with its large values. */
  filled(caller: Caller, task: FillTask): Promise<HashedText> {
    return this.#text(caller, { kind: "filled", ...task });
  }

  /** A table of samples as JSON, or as a file. */
  table(caller: Caller, task: TableTask): Promise<HashedText> {
    return this.#text(caller, { kind: "table", ...task });
  }

  async results(caller: Caller, task: ResultsTask): Promise<ResultPage> {
    const { answer, port } = await this.#ask(caller, { kind: "results", ...task });
    port.close();
    if ("results" in answer) return answer.results;
    throw unexpected();
  }

  async lineage(caller: Caller, task: LineageTask): Promise<RunLineage> {
    const { answer, port } = await this.#ask(caller, { kind: "lineage", ...task });
    port.close();
    if ("lineage" in answer) return answer.lineage;
    throw unexpected();
  }

  async #text(caller: Caller, task: ProvenanceTask): Promise<HashedText> {
    const { answer, port } = await this.#ask(caller, task);
    port.close();
    if ("bytes" in answer) return { bytes: Buffer.from(answer.bytes.buffer), sha256: answer.sha256 };
    throw unexpected();
  }

  async comparison(
    caller: Caller,
    task: Extract<ProvenanceTask, { readonly kind: "comparison" }>,
  ): Promise<RunComparison> {
    const { answer, port } = await this.#ask(caller, task);
    port.close();
    if ("comparison" in answer) return answer.comparison;
    throw unexpected();
  }

  async insight<Kind extends InsightTask["kind"]>(
    caller: Caller,
    task: Extract<InsightTask, { readonly kind: Kind }>,
  ): Promise<InsightAnswers[Kind]> {
    const { answer, port } = await this.#ask(caller, task);
    port.close();
    // The thread answers each kind of task with the matching type (insight-tasks.ts), but messages are untyped.
    if ("insight" in answer) return answer.insight as InsightAnswers[Kind];
    throw unexpected();
  }

  /** The zip of a crate, built as fast as it is read. Read it completely or destroy it. */
  async crate(caller: Caller, runId: string): Promise<Readable> {
    const { answer, port } = await this.#ask(caller, { kind: "crate", runId });
    if ("ready" in answer) return readBlocks(port);
    port.close();
    throw unexpected();
  }

  /** Ends the threads. Requests that wait for them fail. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((worker) => worker.terminate()));
  }

  #ask(caller: Caller, task: ProvenanceTask): Promise<Answered> {
    return this.#gate.pass(caller.principal, () => this.#build(caller, task));
  }

  async #build({ principal, othersRuns, links: { base } }: Caller, task: ProvenanceTask): Promise<Answered> {
    const { port1: port, port2 } = new MessageChannel();
    const answered = firstMessage(port);
    const request: ProvenanceRequest = { task, caller: { principal, othersRuns, base }, port: port2 };
    const worker = this.#take();
    worker.postMessage(request, [port2]);
    const answer = await answered.finally(() => this.#release(worker));
    if (!("failure" in answer)) return { answer, port };
    port.close();
    throw errorOf(answer);
  }

  #take(): Worker {
    const [idle] = this.#idle;
    if (idle === undefined) return this.#start();
    this.#idle.delete(idle);
    return idle;
  }

  #release(worker: Worker): void {
    if (this.#running.has(worker)) this.#idle.add(worker);
  }

  #start(): Worker {
    const { data, log } = this.#options;
    const worker = new Worker(new URL("./provenance-worker.ts", import.meta.url), { workerData: data });
    this.#running.add(worker);
    worker.unref();
    const forget = () => {
      this.#running.delete(worker);
      this.#idle.delete(worker);
    };
    // The thread's ports close with it, which rejects the requests that wait for it.
    worker.once("error", (error: unknown) => {
      forget();
      log("error", "a provenance thread failed", {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    });
    worker.once("exit", forget);
    return worker;
  }
}

interface Answered {
  readonly answer: Exclude<ProvenanceAnswer, ProvenanceFailure>;
  readonly port: MessagePort;
}

function firstMessage(port: MessagePort): Promise<ProvenanceAnswer> {
  return new Promise((resolve, reject) => {
    port.once("message", resolve);
    port.once("close", () => reject(broken()));
  });
}

function readBlocks(port: MessagePort): Readable {
  const zip = new Readable({
    read: () => port.postMessage("more"),
    destroy: (error, done) => {
      port.close();
      done(error);
    },
  });
  port.on("message", (answer: ArchiveBlock) => {
    if ("failure" in answer) zip.destroy(errorOf(answer));
    else zip.push(answer.block ?? null);
  });
  port.once("close", () => {
    if (!zip.readableEnded && !zip.destroyed) zip.destroy(broken());
  });
  return zip;
}

function errorOf({ failure: { code, message } }: ProvenanceFailure): Error {
  return code === undefined ? new Error(message) : new Refusal(code, message);
}

function broken(): Error {
  return new Error("a provenance thread ended before it answered");
}

function unexpected(): Error {
  return new Error("a provenance thread sent an unexpected answer");
}
