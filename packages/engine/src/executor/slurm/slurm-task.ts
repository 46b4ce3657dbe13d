import { RemoteAttempt } from "../remote-attempt.ts";
import type { QueuedTask } from "./queue-lines.ts";
import type { TaskNote } from "./task-note.ts";

/** An attempt that is on its way to Slurm or there. */
export class SlurmTask extends RemoteAttempt {
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
}
