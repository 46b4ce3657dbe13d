import type { KillReport } from "@weft/shared/records/kill-record.ts";
import type { Abort } from "@weft/shared/records/run-record.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { KilledJobs } from "../journal/read-jobs.ts";
import type { RunRow } from "../journal/rows.ts";
import { nullableTime, timeText } from "./present-time.ts";

export function presentKill(kill: RecordedKill): KillReport {
  return {
    asked_at: timeText(kill.asked_ms),
    signals: [...kill.signals],
    processes_found: kill.processes_found,
    processes_killed: kill.processes_killed,
    confirmed_at: nullableTime(kill.confirmed_ms),
    evidence: [...kill.evidence],
  };
}

/** The result of aborting a run, complete or so far. */
export function presentAbort(
  { abort, jobCounts }: Pick<RunRow, "abort" | "jobCounts">,
  { outstandingJobs, killedJobs }: { readonly outstandingJobs: readonly string[]; readonly killedJobs: KilledJobs },
): Abort | null {
  if (abort === null) return null;
  const { requested_ms, requested_by, confirmed_ms, kill, not_started } = abort;
  return {
    requested_at: timeText(requested_ms),
    requested_by,
    confirmed_at: nullableTime(confirmed_ms),
    outstanding_jobs: [...outstandingJobs],
    jobs_ended: killedJobs.count,
    jobs_not_started: not_started ?? jobCounts.QUEUED ?? 0,
    processes_found: kill?.processes_found ?? 0,
    processes_killed: kill?.processes_killed ?? 0,
    evidence: [...(kill?.evidence ?? [])],
    jobs: killedJobs.jobs.map((job) => ({ job_id: job.jobId, ...presentKill(job.kill) })),
  };
}
