import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { TestRecord } from "@weft/shared/records/test-record.ts";
import { Icon } from "../ui/icon.tsx";
import { StateBadge } from "../ui/state-badge.tsx";

type Validity = "valid" | "warnings" | "invalid";

const LOOKS = {
  valid: { word: "Valid", icon: "check", className: "text-success bg-success-soft" },
  warnings: { word: "Warnings", icon: "warning", className: "text-canceled bg-canceled-soft" },
  invalid: { word: "Errors", icon: "error", className: "text-failed bg-failed-soft" },
} as const satisfies Record<Validity, { word: string; icon: string; className: string }>;

const TEST_LOOKS = {
  passed: { word: "Passed", icon: "check", className: "text-success bg-success-soft" },
  failed: { word: "Failed", icon: "error", className: "text-failed bg-failed-soft" },
  running: { word: "Running", icon: "play", className: "text-running bg-running-soft" },
  broken: { word: "Errors", icon: "error", className: "text-failed bg-failed-soft" },
  never: { word: "Not run yet", icon: "clock", className: "text-queued bg-queued-soft" },
} as const;

/** Shows whether the CWL document of a network or tool is valid. */
export function ValidityBadge({ status }: { readonly status: Validity }) {
  const look = LOOKS[status];
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-small font-semibold whitespace-nowrap ${look.className}`}
    >
      <Icon name={look.icon} className="size-3.5" /> {look.word}
    </span>
  );
}

/** The state of a job, and whether it is a cache hit. */
export function JobBadge({ job }: { readonly job: Pick<JobSummary, "state" | "cached"> }) {
  return <StateBadge state={job.state} {...(job.cached ? { note: "cached" } : {})} />;
}

/** The last result of a test, with a note if the test or the document has changed since. */
export function TestBadge({ test: { issues, last } }: { readonly test: Pick<TestRecord, "issues" | "last"> }) {
  const look = TEST_LOOKS[issues.length > 0 ? "broken" : (last?.state ?? "never")];
  return (
    <>
      <span
        className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-small font-semibold whitespace-nowrap ${look.className}`}
      >
        <Icon name={look.icon} className="size-3.5" /> {look.word}
      </span>
      {last !== null && issues.length === 0 && !last.is_current && (
        <span className="block text-small text-soft">Changed since</span>
      )}
    </>
  );
}
