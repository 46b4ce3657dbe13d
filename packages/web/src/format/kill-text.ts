import type { KillReport } from "@weft/shared/records/kill-record.ts";
import type { Abort } from "@weft/shared/records/run-record.ts";
import { KILL_EVIDENCE_TEXT } from "@weft/shared/text/kill-evidence-text.ts";
import { formatClockTime } from "./format-time.ts";

/** What was ended and how it is known that nothing is left, as one sentence. */
export function killText(kill: KillReport): string {
  return `${endedText(kill)}; ${provenText(kill)}.`;
}

/** `4 processes were ended, 1 of them by force`. */
export function endedText({ processes_found: found, processes_killed: killed }: Counts): string {
  if (found === 0) return "No process was left to end";
  const ended = found === 1 ? "One process was ended" : `${found} processes were ended`;
  if (killed === 0) return `${ended}, within the time that they were given`;
  return killed === found ? `${ended} by force` : `${ended}, ${killed} of them by force`;
}

/** `nothing is left since 14:03:09.120: the kernel says …`. */
export function provenText({ confirmed_at, evidence }: Pick<KillReport, "confirmed_at" | "evidence">): string {
  if (confirmed_at === null) return "it is not proven yet that nothing is left";
  const why = evidence.map((kind) => KILL_EVIDENCE_TEXT[kind]).join(", and ");
  const since = `nothing is left since ${formatClockTime(confirmed_at)}`;
  return why === "" ? since : `${since}: ${why}`;
}

/** `2 jobs were ended, 3 had not started`. */
export function abortedJobsText({ jobs_ended: ended, jobs_not_started: waiting }: Abort): string {
  const parts = [
    ended === 0 ? "No job had to be ended" : ended === 1 ? "One job was ended" : `${ended} jobs were ended`,
    waiting === 0 ? "" : `${waiting} had not started`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

type Counts = Pick<KillReport, "processes_found" | "processes_killed">;
