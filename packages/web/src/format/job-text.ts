import type { PlannedJobCache } from "@weft/shared/records/job-record.ts";
import type { KillReport } from "@weft/shared/records/kill-record.ts";
import type { Abort } from "@weft/shared/records/run-record.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import { KILL_EVIDENCE_TEXT } from "@weft/shared/text/kill-evidence-text.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatClockTime } from "./format-time.ts";

/** Which processes were stopped, and the evidence that none remain, as one sentence. */
export function killText(kill: KillReport): string {
  return `${endedText(kill)}; ${provenText(kill)}.`;
}

/** `4 processes stopped, 1 of them killed`. */
export function endedText({ processes_found: found, processes_killed: killed }: Counts): string {
  if (found === 0) return "No processes were running";
  const processes = found === 1 ? "1 process" : `${found} processes`;
  if (killed === 0) return `${processes} exited cleanly`;
  return killed === found ? `${processes} killed` : `${processes} stopped, ${killed} of them killed`;
}

/** `verified at 14:03:09.120: the control group is empty`. */
export function provenText({ confirmed_at, evidence }: Pick<KillReport, "confirmed_at" | "evidence">): string {
  if (confirmed_at === null) return "not yet verified that all have stopped";
  const why = evidence.map((kind) => KILL_EVIDENCE_TEXT[kind]).join(", ");
  const since = `verified at ${formatClockTime(confirmed_at)}`;
  return why === "" ? since : `${since}: ${why}`;
}

/** `2 jobs stopped, 3 had not started`. */
export function abortedJobsText({ jobs_ended: ended, jobs_not_started: waiting }: Abort): string {
  const parts = [
    ended === 0 ? "No jobs were running" : `${countText(ended, "job")} stopped`,
    waiting === 0 ? "" : `${waiting} had not started`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

type Counts = Pick<KillReport, "processes_found" | "processes_killed">;

/** `bubblewrap 0.8.0, no network`, or why there was no sandbox. */
export function sandboxText(sandbox: JobSandbox): string {
  if (sandbox.kind === "none") return `none: ${sandbox.why}`;
  return `${sandbox.kind} ${sandbox.version}, ${sandbox.network ? "network access" : "no network"}`;
}

/** Why a job reused an earlier result or did not, with the current name of the source run. */
export function cacheReason({ decision, reason, job }: PlannedJobCache): string {
  if (decision !== "hit" || job === undefined) return reason;
  return `the result of job ${job.job_id} in run ${job.run_name} is still valid`;
}
