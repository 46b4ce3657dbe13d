import { useQuery } from "@tanstack/react-query";
import type { Sizing } from "@weft/shared/records/insight-record.ts";
import type { Tool } from "@weft/shared/records/process-record.ts";
import { routeQuery } from "../../api/route-query.ts";
import { basisText, sizingRows } from "../../components/resource-text.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";

const USED = ["Median", "95th percentile", "Maximum"];

const COLUMNS: readonly Column<ReturnType<typeof sizingRows>[number]>[] = [
  { label: "Resource", bare: true, className: "font-medium", render: ({ name }) => name },
  { label: "Requested", number: true, render: ({ requested }) => requested },
  ...USED.map((label, place) => ({
    label,
    number: true,
    render: ({ used }: ReturnType<typeof sizingRows>[number]) =>
      used?.[place] ?? <span className="text-soft">not measured</span>,
  })),
  { label: "Jobs", number: true, render: ({ jobs }) => jobs },
];

/** Requested and used resources of this version's jobs. */
export default function ToolSizing({ tool }: { readonly tool: Tool }) {
  if (tool.version === null) return <EmptyState text="No measurements: this tool has no version." />;
  return <OfVersion id={tool.id} version={tool.version} />;
}

function OfVersion({ id, version }: { readonly id: string; readonly version: string }) {
  const sizing = useQuery({
    ...routeQuery("GET /api/tools/{id}/{version}/sizing", { params: { id, version } }),
    staleTime: 60_000,
  });
  return (
    <QueryView query={sizing} rows={4}>
      {(data) => <SizingView sizing={data} name={`${id} ${version}`} />}
    </QueryView>
  );
}

/** Requested and used resources of jobs, and lines for the tool if enough jobs were measured. */
function SizingView({ sizing, name }: { readonly sizing: Sizing; readonly name: string }) {
  if (sizing.jobs === 0) return <p className="text-soft">{basisText(sizing)}</p>;
  return (
    <div className="space-y-3">
      <DataTable
        caption={`Resource usage: ${name}`}
        columns={COLUMNS}
        rows={sizingRows(sizing)}
        keyOf={(row) => row.name}
      />
      <p className="text-soft">{basisText(sizing)}</p>
      <Suggestion sizing={sizing} />
    </div>
  );
}

function Suggestion({ sizing: { suggestion } }: { readonly sizing: Sizing }) {
  if (suggestion === null)
    return <p className="text-soft">Not enough measurements for a suggestion: at least five jobs are needed.</p>;
  return (
    <div className="max-w-xl">
      <p className="mb-1.5">
        Based on {countText(suggestion.jobs, "job")}: the 95th percentile, plus 20 % for memory. Paste this into the
        tool:
      </p>
      <CodeBlock label="Suggested requirements" text={suggestion.text} />
    </div>
  );
}
