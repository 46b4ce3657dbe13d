import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { ReusableJob } from "../../journal/read-cache.ts";
import { endedEvent, lateEvent, NOTHING_KNOWN, startedEvent } from "../job-events.ts";
import type { Job, JobOutcome } from "../job.ts";
import type { RunLog } from "../../journal/run-log.ts";

/** The result of an earlier job that this one reuses. */
export interface ReusedResult {
  readonly earlier: ReusableJob;
  /** Under paths of this run. */
  readonly outputs: CwlObject;
}

/**
 * Ends a job with the result of an earlier one, whose files it now has under its own paths: start and end in one
 * transaction. A crash before that leaves only an unreferenced folder, which the next server reuses.
 */
export async function reuseJob(job: Job, taken: ReusedResult, services: RunLog): Promise<JobOutcome> {
  const { row, outputs } = taken.earlier;
  const key = job.reuse?.key?.key;
  const outcome = { status: "success", outputs: taken.outputs } as const;
  const reusable = key === undefined ? undefined : { key, outputs };
  const end = { outcome, ...NOTHING_KNOWN, exitCode: row.exitCode, reusable };
  const container = row.container ?? undefined;
  const [recorded] = await services.journal.append([
    // These files come from that program in that folder.
    startedEvent(job, { command: row.command, container, backend: "engine" }, services),
    endedEvent(job, end, services),
  ]);
  // The run was already final.
  if (recorded === null) await services.journal.append([lateEvent(job, end)]);
  return outcome;
}
