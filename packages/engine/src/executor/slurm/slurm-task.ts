import { RemoteAttempt } from "../remote-attempt.ts";
import type { QueuedTask } from "./queue-lines.ts";
import type { TaskNote } from "./task-note.ts";

/** An attempt at Slurm or on its way there. */
export class SlurmTask extends RemoteAttempt {
  /** Undefined until it is about to be submitted. */
  note: TaskNote | undefined;
  /** Only looks at the queue that begin after this one can show whether the task is there. */
  submittedAtLook = Number.POSITIVE_INFINITY;
  /** As of the last look. */
  queued: QueuedTask | undefined;
  /** When looks began to miss it; on a monotonic clock. */
  missingSinceMs: number | undefined;
  /** Number of consecutive looks that missed it. */
  missingLooks = 0;
  /** Since when Slurm reports it as running. */
  runningSinceMs: number | undefined;
  /** A warning that it does not begin has been logged. */
  isSuspect = false;
  /** How often Slurm has forgotten it before it began. */
  timesForgotten = 0;
}
