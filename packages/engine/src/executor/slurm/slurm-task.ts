import type { JobExit, Launch } from "../executor.ts";
import type { QueuedTask } from "./queue-lines.ts";
import type { TaskNote } from "./task-note.ts";

/** An attempt that is on its way to Slurm or there. */
export class SlurmTask {
  readonly launch: Launch;
  /** Undefined until it is about to be submitted. */
  note: TaskNote | undefined;
  /** A look at the queue that began later than this one tells whether it is there. */
  submittedAtLook = Number.POSITIVE_INFINITY;
  /** As of the last look. */
  queued: QueuedTask | undefined;
  /** Since when looks do not find it; by a monotonic clock. */
  missingSinceMs: number | undefined;
  /** So many looks in a row have not found it. */
  missingLooks = 0;
  /** Since when Slurm says that it runs. */
  runningSinceMs: number | undefined;
  /** That it does not begin was told. */
  isSuspect = false;
  /** So often Slurm has forgotten it before anybody had begun it. */
  timesForgotten = 0;
  /** It was told to end: nobody waits for a record of it. */
  isKilled = false;
  readonly #started = Promise.withResolvers<string | undefined>();
  readonly #exit = Promise.withResolvers<JobExit>();

  constructor(launch: Launch) {
    this.launch = launch;
  }

  get started(): Promise<string | undefined> {
    return this.#started.promise;
  }

  get exit(): Promise<JobExit> {
    return this.#exit.promise;
  }

  /** It runs, by this name of Slurm's. */
  runs(id: string): void {
    this.#started.resolve(id);
  }

  end(exit: JobExit): void {
    this.#started.resolve(undefined);
    this.#exit.resolve(exit);
  }
}
