import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { ReusableJob } from "../../journal/read-cache.ts";
import { endedEvent, lateEvent, NOTHING_KNOWN, startedEvent } from "../job-events.ts";
import type { Job, JobOutcome } from "../job.ts";
import type { RunLog } from "../../journal/run-log.ts";

/** The result of an earlier job that this one has taken over. */
export interface ReusedResult {
  readonly earlier: ReusableJob;
  /** Under names of this run. */
  readonly outputs: CwlObject;
}

/**
 * Ends a job with the result of an earlier one, whose files it has under names of its own by now: start and end in one
 * transaction. What a crash leaves before that is a folder that nothing names; the next server begins it anew.
 */
export async function reuseJob(job: Job, taken: ReusedResult, services: RunLog): Promise<JobOutcome> {
  const { row, outputs } = taken.earlier;
  const key = job.reuse?.key?.key;
  const outcome = { status: "success", outputs: taken.outputs } as const;
  const reusable = key === undefined ? undefined : { key, outputs };
  const end = { outcome, ...NOTHING_KNOWN, exitCode: row.exitCode, reusable };
  const container = row.container ?? undefined;
  const [recorded] = await services.journal.append([
    // What ran then, in the folder of that time, is what made these files.
    startedEvent(job, { command: row.command, container, backend: "engine" }, services),
    endedEvent(job, end, services),
  ]);
  // The run was final already.
  if (recorded === null) await services.journal.append([lateEvent(job, end)]);
  return outcome;
}
