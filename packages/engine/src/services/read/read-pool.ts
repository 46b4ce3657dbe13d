import { Refusal } from "@weft/shared/records/refusal.ts";
import { ThreadPool } from "../../async/thread-pool.ts";
import type { Log } from "../../log.ts";
import type { Caller, HashedText } from "../../port/engine.ts";
import type { ReadData, ReadTasks } from "./read-tasks.ts";

/** A caller as a thread gets it. */
export type SentCaller = Pick<Caller, "principal" | "othersRuns"> & { readonly base: string };

type Result<Name extends keyof ReadTasks> = Awaited<ReturnType<ReadTasks[Name]>>;
type TextName = {
  [Name in keyof ReadTasks]: Result<Name> extends HashedText<Uint8Array> ? Name : never;
}[keyof ReadTasks];

/** Enough for two long answers and a short one at a time. */
const WIDTH = 3;
const HEAP_MB = 2048;
/** Ends the wait for a lost disk, which never answers. */
const FOLDER_LIMIT = {
  ms: 120_000,
  error: () =>
    new Refusal("invalid-parameters", "Reading the folder takes longer than two minutes. Choose a smaller one."),
};

/**
 * Threads that read the log and files for answers that would delay other requests: an answer about a run with thousands
 * of jobs or a folder of 25,000 files takes seconds. A caller gets one document, list of jobs and data set at a time.
 */
export class ReadPool {
  readonly #threads: ThreadPool;

  constructor(script: URL, data: ReadData, log: Log) {
    const failed = (error: unknown) =>
      log("error", "a thread of the read pool failed", {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    this.#threads = new ThreadPool({
      ...{ script, workerData: data },
      width: WIDTH,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      failed,
    });
  }

  async ask<Name extends keyof ReadTasks>(
    { principal, othersRuns, links: { base } }: Caller,
    task: Name,
    ...args: Parameters<ReadTasks[Name]>
  ): Promise<Result<Name>> {
    const kind = /^(job|dataset)/.exec(task)?.[0] ?? "document";
    const value = await this.#threads.ask({
      queue: `${kind} ${principal}`,
      context: { principal, othersRuns, base } satisfies SentCaller,
      task,
      args,
      limit: kind === "dataset" ? FOLDER_LIMIT : undefined,
    });
    // The thread runs the task of this name (read-worker.ts), but messages are untyped.
    return value as Result<Name>;
  }

  /** An answer that is a text. */
  async text<Name extends TextName>(
    caller: Caller,
    task: Name,
    ...args: Parameters<ReadTasks[Name]>
  ): Promise<HashedText> {
    const { bytes, sha256 } = await this.ask(caller, task, ...args);
    return { bytes: Buffer.from(bytes.buffer), sha256 };
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
