import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { JobIdentity } from "../../jobs/job-events.ts";
import type { Job, JobControl, JobOutcome } from "../../jobs/job.ts";
import type { CacheOfRow } from "../../journal/rows.ts";

/** A job that can start as soon as its inputs are here. */
export interface NextJob extends JobPast {
  readonly call: Call;
  readonly identity: JobIdentity & { readonly attempt: number };
}

/** What happens to the jobs of a run. */
export type JobMessage =
  | { readonly type: "inputs-here"; readonly next: NextJob }
  | { readonly type: "looked-at"; readonly next: NextJob; readonly job: Job }
  | { readonly type: "job-ended"; readonly callId: string; readonly jobId: string; readonly outcome: JobOutcome }
  | { readonly type: "attempt-failed"; readonly next: NextJob; readonly delayMs: number }
  | { readonly type: "retry-due"; readonly next: NextJob }
  | { readonly type: "broken"; readonly error: unknown };

/** What happens to a run outside its loop. */
export type RunMessage = JobMessage | { readonly type: "abort" } | { readonly type: "go-on" };

/** What was done for a job before, by an earlier server too. */
export interface JobPast extends Pick<JobControl, "reattached" | "container" | "sandbox"> {
  /** Where a reattached job runs; absent: that is to be decided. */
  readonly backend?: BackendKind | undefined;
  readonly cache?: CacheOfRow | null | undefined;
  /** Attempts of the job so far that ran out of memory. */
  readonly outOfMemory: number;
}
