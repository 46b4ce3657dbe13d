import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { KILL_EVIDENCE_TEXT } from "@weft/shared/text/kill-evidence-text.ts";

/** Summary of an abort in one line: the stopped processes, and the evidence that all processes have ended. */
export function abortText({
  asked_ms,
  confirmed_ms,
  processes_found,
  processes_killed,
  evidence,
}: RecordedKill): string {
  const found = processes_found === 1 ? "1 process stopped" : `${processes_found} processes stopped`;
  const killed = processes_killed === 0 ? "" : `, ${processes_killed} of them killed`;
  if (confirmed_ms === null) return `aborted: ${found}${killed}; not yet verified that all have stopped`;
  const why = evidence.map((kind) => KILL_EVIDENCE_TEXT[kind]).join(", ");
  return `aborted: ${found}${killed}; verified after ${formatDuration(confirmed_ms - asked_ms)}${why === "" ? "" : `: ${why}`}`;
}
