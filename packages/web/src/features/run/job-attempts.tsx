import type { JobAttempt } from "@weft/shared/records/job-record.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { sentence } from "../../format/sentence.ts";
import { StateBadge } from "../../ui/state-badge.tsx";
import { usedText } from "./used-text.ts";

/** The result of each attempt of a job, the current one last. */
export function JobAttempts({ attempts }: { readonly attempts: readonly JobAttempt[] }) {
  return (
    <ol className="space-y-2">
      {attempts.map(({ attempt, state, state_reason, started_at, ram_bytes, used }) => (
        <li key={attempt} className="flex flex-wrap items-baseline gap-x-2">
          <span>{attempt}.</span>
          <StateBadge state={state} />
          <span className="text-soft">{started_at === null ? "" : formatDateTime(started_at)}</span>
          <span className="text-soft">
            {ram_bytes === null ? "" : `requested ${formatBytes(ram_bytes)} memory; `}
            {usedText(used, ram_bytes)}
          </span>
          {state_reason !== null && <span className="wrap-anywhere">{sentence(state_reason.message)}</span>}
        </li>
      ))}
    </ol>
  );
}
