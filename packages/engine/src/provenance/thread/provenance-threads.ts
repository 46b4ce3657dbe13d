import { Readable } from "node:stream";
import { MessageChannel, Worker } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Caller, HashedText } from "../../engine.ts";
import type {
  ArchiveBlock,
  ProvenanceAnswer,
  ProvenanceFailure,
  ProvenanceRequest,
  ProvenanceTask,
  ProvenanceText,
  ProvenanceThreadData,
} from "./provenance-task.ts";

/**
 * Builds documents about whole runs in a thread with its own connection to the log. For a run with thousands of jobs this
 * takes seconds, in which the server answers other requests. The thread starts with the first request and never keeps the
 * process alive; after a crash, the next request starts a new one.
 */
export class ProvenanceThread {
  readonly #data: ProvenanceThreadData;
  #worker: Worker | undefined;

  constructor(data: ProvenanceThreadData) {
    this.#data = data;
  }

  async text(caller: Caller, kind: ProvenanceText, runId: string): Promise<HashedText> {
    const { answer, port } = await this.#ask(caller, { kind, runId });
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

  /** The zip of a crate, made as fast as it is read. It must be read to its end or destroyed. */
  async crate(caller: Caller, runId: string): Promise<Readable> {
    const { answer, port } = await this.#ask(caller, { kind: "crate", runId });
    if ("ready" in answer) return readBlocks(port);
    port.close();
    throw unexpected();
  }

  async #ask(
    { principal, othersRuns, links: { base } }: Caller,
    task: ProvenanceTask,
  ): Promise<{ readonly answer: Exclude<ProvenanceAnswer, ProvenanceFailure>; readonly port: MessagePort }> {
    const { port1: port, port2 } = new MessageChannel();
    const answered = firstMessage(port);
    const request: ProvenanceRequest = { task, caller: { principal, othersRuns, base }, port: port2 };
    this.#running().postMessage(request, [port2]);
    const answer = await answered;
    if (!("failure" in answer)) return { answer, port };
    port.close();
    throw errorOf(answer);
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL("./provenance-worker.ts", import.meta.url), { workerData: this.#data });
    this.#worker = worker;
    worker.unref();
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    // Its ports close with it, which rejects all pending requests.
    worker.once("error", forget);
    worker.once("exit", forget);
    return worker;
  }
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
  return new Error("the thread that builds provenance ended before it had answered");
}

function unexpected(): Error {
  return new Error("the thread that builds provenance sent an answer of the wrong kind");
}
