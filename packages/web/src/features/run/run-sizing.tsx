import { useQuery } from "@tanstack/react-query";
import type { RunSizing as RunSizingRecord } from "@weft/shared/records/insight-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { Link } from "react-router-dom";
import { runSizingQuery } from "../../api/job-queries.ts";
import { coresText } from "../../components/resource-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

type StepSizing = RunSizingRecord["steps"][number];

const COLUMNS: readonly Column<StepSizing>[] = [
  {
    label: "Step",
    bare: true,
    cell: ({ step, tool }) => (
      <>
        <span className="font-medium">{step === "" ? "Tool" : step}</span>
        {tool?.version != null && (
          <Link className="link ml-2" to={`/tool/${tool.id}/${tool.version}?tab=resources`}>
            {tool.id} {tool.version}
          </Link>
        )}
      </>
    ),
  },
  { label: "Jobs", number: true, cell: ({ sizing }) => sizing.jobs },
  {
    label: "Cores",
    number: true,
    cell: ({ sizing: { used, requested } }) => pair(used.cores?.p95, requested.cores, coresText),
  },
  {
    label: "Memory",
    number: true,
    cell: ({ sizing: { used, requested } }) => pair(used.ram_bytes?.p95, requested.ram_bytes, formatBytes),
  },
  {
    label: "Time",
    number: true,
    cell: ({ sizing: { used } }) => (used.time_ms === null ? "–" : formatDuration(used.time_ms.p95)),
  },
  { label: "Suggestion", cell: (found) => <Suggestion found={found} /> },
];

/** Requested and used resources of each step, in this and earlier runs; hidden without measurements. */
export function RunSizing({ run }: { readonly run: Run }) {
  const { data } = useQuery(runSizingQuery(run.run_id));
  const measured = data?.steps.filter(({ sizing }) => sizing.jobs > 0) ?? [];
  if (measured.length === 0) return null;
  return (
    <TitledSection title="Resources used (95th percentile) and requested">
      <p className="mb-2 text-soft">
        95 % of jobs used no more than the first number. Based on this run and up to five earlier runs of this network.
      </p>
      <DataTable
        caption="Used and requested resources by step"
        columns={COLUMNS}
        rows={measured}
        keyOf={({ step }) => step}
      />
    </TitledSection>
  );
}

function Suggestion({ found: { step, sizing } }: { readonly found: StepSizing }) {
  const { suggestion } = sizing;
  if (suggestion === null) return <span title="Not enough measurements">–</span>;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <code className="code">{shortLines(suggestion)}</code>
      <CopyButton text={suggestion.text} name={`suggestion for ${step === "" ? "the tool" : step}`} />
    </span>
  );
}

function pair(used: number | undefined, requested: number | null, text: (value: number) => string): string {
  return `${used === undefined ? "–" : text(used)} / ${requested === null ? "–" : text(requested)}`;
}

function shortLines({ cores_min, ram_min_mib }: NonNullable<StepSizing["sizing"]["suggestion"]>): string {
  const cores = cores_min === null ? [] : [`coresMin: ${cores_min}`];
  const memory = ram_min_mib === null ? [] : [`ramMin: ${ram_min_mib}`];
  return [...cores, ...memory].join(", ");
}
