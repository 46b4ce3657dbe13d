import { Refusal } from "@weft/shared/records/refusal.ts";
import { ThreadPool } from "../async/thread-pool.ts";
import type { Log } from "../log.ts";
import type { Caller } from "../port/caller.ts";
import type { HashedText } from "../port/route-methods.ts";
import type { ReadData, ReadTasks } from "./reading.ts";

/** A feature, and the caller as a thread gets it. */
export type Asked = Pick<Caller, "principal" | "othersRuns"> & { readonly base: string; readonly feature: string };

type TasksOf<Part extends ReadTasks> = ReturnType<ReturnType<Part>>;
type Args<Task> = Task extends (...args: infer Given) => unknown ? Given : never;
type Result<Task> = Task extends (...args: never) => infer Given ? Awaited<Given> : never;
type TextName<Tasks> = {
  [Name in keyof Tasks & string]: Result<Tasks[Name]> extends HashedText<Uint8Array> ? Name : never;
}[keyof Tasks & string];

/** The tasks of one part, as the part calls them. */
export interface Asking<Part extends ReadTasks, Tasks = TasksOf<Part>> {
  readonly ask: <Name extends keyof Tasks & string>(
    caller: Caller,
    task: Name,
    ...args: Args<Tasks[Name]>
  ) => Promise<Result<Tasks[Name]>>;
  /** An answer that is a text. */
  readonly text: <Name extends TextName<Tasks>>(
    caller: Caller,
    task: Name,
    ...args: Args<Tasks[Name]>
  ) => Promise<HashedText>;
}

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

  /** The tasks of a feature by its name in features.ts. */
  of<Part extends ReadTasks>(feature: string): Asking<Part> {
    const ask = ({ principal, othersRuns, links: { base } }: Caller, task: string, args: readonly unknown[]) => {
      const kind = /^(job|dataset)/.exec(task)?.[0] ?? "document";
      const queue = `${kind} ${principal}`;
      const context: Asked = { principal, othersRuns, base, feature };
      return this.#threads.ask({ queue, context, task, args, limit: kind === "dataset" ? FOLDER_LIMIT : undefined });
    };
    return {
      // Messages are untyped; the task of this name returns the type.
      ask: async (caller, task, ...args) => (await ask(caller, task, args)) as never,
      text: async (caller, task, ...args) => {
        const { bytes, sha256 } = (await ask(caller, task, args)) as HashedText<Uint8Array<ArrayBuffer>>;
        return { bytes: Buffer.from(bytes.buffer), sha256 };
      },
    };
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
