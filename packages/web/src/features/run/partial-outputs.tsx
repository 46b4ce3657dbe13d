import { useQuery } from "@tanstack/react-query";
import type { MissingOutput, Run, RunOutputs } from "@weft/shared/records/run-record.ts";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { runOutputsQuery } from "../../api/run-queries.ts";
import { LongList, ValueView, type ValueViewProps } from "../../components/value-view.tsx";
import { links } from "../../format/links.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { Pill } from "../../ui/state-badge.tsx";

const NAMED_MISSING = 8;

/** Outputs that a failed or aborted run produced. */
export function PartialOutputs({
  run,
  children,
}: {
  readonly run: Run;
  readonly children: (produced: RunOutputs) => ReactNode;
}) {
  const query = useQuery(runOutputsQuery(run.run_id));
  return (
    <div className="space-y-3">
      <PartialNote run={run} isTruncated={query.data?.truncated === true} />
      <QueryView query={query} rows={8}>
        {children}
      </QueryView>
    </div>
  );
}

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

interface PartialValueProps extends ValueViewProps {
  readonly output: string;
  readonly produced: RunOutputs;
}

/** The value of one output; names the samples of missing elements. */
export function PartialValue({ output, produced, value, renderFile }: PartialValueProps) {
  const missing = produced.missing.filter((entry) => entry.output === output);
  const byPlace = new Map(missing.map((entry) => [entry.index.join(), entry]));
  const show = (part: unknown, index: readonly number[]): ReactNode => {
    const lack = part === null ? byPlace.get(index.join()) : undefined;
    if (lack !== undefined) return <MissingMark entry={lack} />;
    if (!Array.isArray(part)) return <ValueView value={part} renderFile={renderFile} />;
    return <LongList values={part} renderItem={(item, place) => show(item, [...index, place])} />;
  };
  return (
    <>
      <MissingNote missing={missing} />
      {(value !== null || missing.length === 0 || byPlace.has("")) && show(value, [])}
    </>
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
      {entry.job_id === null ? (
        state
      ) : (
        <Link className="link" to={links.view({ tab: "jobs", job: entry.job_id })}>
          {state}
        </Link>
      )}
    </span>
  );
}

function nameOf({ sample_id: sample, index }: Missing): string {
  return sample ?? `#${index.map((place) => place + 1).join(".")}`;
}
