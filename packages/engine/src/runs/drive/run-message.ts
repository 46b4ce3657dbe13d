import type { JobOutcome } from "../../jobs/job.ts";

/** How a job of a run ended. `canceled`: it ended because the run did, or because nothing more was to start. */
export type JobMessage =
  | { readonly type: "job-ended"; readonly callId: string; readonly jobId: string; readonly outcome: JobOutcome }
  | { readonly type: "broken"; readonly error: unknown };

/** What happens to a run outside its loop. */
export type RunMessage = JobMessage | { readonly type: "abort" };
