import type { MissingOutput, Run } from "@weft/shared/records/run-record.ts";
import { links } from "../../format/links.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Pill } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";

const NAMED_MISSING = 8;

/** Explains that the outputs are incomplete. */
export function PartialNote({ run, isTruncated }: { readonly run: Run; readonly isTruncated: boolean }) {
  return (
    <p>
      <Pill tone="canceled">Partial</Pill> {run.state === "CANCELED" ? "The run was aborted" : "The run failed"} before
      every output existed. These are the results of the jobs that succeeded.
      {isTruncated && <span className="text-canceled"> The run has too many jobs to show all results here.</span>}
    </p>
  );
}

/** A value that a failed or aborted run lacks. */
export type Missing = Pick<MissingOutput, "sample_id" | "index" | "job_id" | "state">;

/** Summarizes the missing samples above a possibly long list. */
export function MissingNote({ missing }: { readonly missing: readonly Missing[] }) {
  const names = [...new Set(missing.filter(({ index }) => index.length > 0).map(nameOf))];
  if (names.length === 0) return null;
  const others = names.length - NAMED_MISSING;
  return (
    <p className="mb-1 text-canceled">
      {names.length} missing: {names.slice(0, NAMED_MISSING).join(", ")}
      {others > 0 && ` and ${others} more`}
    </p>
  );
}

export function MissingMark({ entry }: { readonly entry: Missing }) {
  const state = entry.state === null ? "not run" : STATE_LOOKS[entry.state].word.toLowerCase();
  return (
    <span className="text-soft">
      {entry.index.length > 0 && `${nameOf(entry)}: `}
      {entry.job_id === null ? state : <TextLink to={links.view({ tab: "jobs", job: entry.job_id })}>{state}</TextLink>}
    </span>
  );
}

function nameOf({ sample_id: sample, index }: Missing): string {
  return sample ?? `#${index.map((place) => place + 1).join(".")}`;
}
