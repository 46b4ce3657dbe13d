import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { TestRecord } from "@weft/shared/records/test-record.ts";
import type { StateTone } from "../format/state-look.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Pill, StateBadge } from "../ui/state-badge.tsx";

type Validity = "valid" | "warnings" | "invalid";

interface Look {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: StateTone;
}

const VALIDITY_LOOKS: Readonly<Record<Validity, Look>> = {
  valid: { word: "Valid", icon: "check", tone: "success" },
  warnings: { word: "Warnings", icon: "warning", tone: "canceled" },
  invalid: { word: "Errors", icon: "error", tone: "failed" },
};

const TEST_LOOKS = {
  passed: { word: "Passed", icon: "check", tone: "success" },
  failed: { word: "Failed", icon: "error", tone: "failed" },
  running: { word: "Running", icon: "play", tone: "running" },
  broken: VALIDITY_LOOKS.invalid,
  never: { word: "Not run yet", icon: "clock", tone: "queued" },
} as const satisfies Record<string, Look>;

/** Shows whether the CWL document of a network or tool is valid. */
export function ValidityBadge({ status }: { readonly status: Validity }) {
  return <LookBadge look={VALIDITY_LOOKS[status]} />;
}

/** The state of a job, and whether it is a cache hit. */
export function JobBadge({ job }: { readonly job: Pick<JobSummary, "state" | "cached"> }) {
  return <StateBadge state={job.state} {...(job.cached ? { note: "cached" } : {})} />;
}

/** The last result of a test, with a note if the test or the document has changed since. */
export function TestBadge({ test: { issues, last } }: { readonly test: Pick<TestRecord, "issues" | "last"> }) {
  return (
    <>
      <LookBadge look={TEST_LOOKS[issues.length > 0 ? "broken" : (last?.state ?? "never")]} />
      {last !== null && issues.length === 0 && !last.is_current && (
        <span className="block text-small text-soft">Changed since</span>
      )}
    </>
  );
}

function LookBadge({ look: { word, icon, tone } }: { readonly look: Look }) {
  return (
    <Pill tone={tone} className="whitespace-nowrap">
      <Icon name={icon} className="size-3.5" /> {word}
    </Pill>
  );
}
