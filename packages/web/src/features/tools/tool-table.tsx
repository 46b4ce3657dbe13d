import type { ToolSummary } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { ValidityBadge } from "../../components/validity-badge.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";

const COLUMNS: readonly Column[] = [
  { label: "Tool" },
  { label: "Latest" },
  { label: "All versions" },
  { label: "Kind" },
  { label: "Document" },
  { label: "Container" },
  { label: "Used by", number: true },
];

export function ToolTable({ tools }: { readonly tools: readonly ToolSummary[] }) {
  return (
    <DataTable caption="Tools of the catalog" columns={COLUMNS}>
      {tools.map((tool) => (
        <ToolRow key={tool.id} tool={tool} />
      ))}
    </DataTable>
  );
}

function ToolRow({ tool }: { readonly tool: ToolSummary }) {
  return (
    <tr>
      <td>
        <div className="max-w-120">
          <Link className="link font-medium" to={`/tool/${tool.id}`}>
            {tool.id}
          </Link>
          <p className="text-[0.8125rem] text-soft">{tool.label}</p>
        </div>
      </td>
      <td data-label="Latest">{tool.version}</td>
      <td data-label="All versions">
        <span className="flex flex-wrap gap-x-2">
          {tool.versions.map(({ version, deprecated }) => (
            <Link key={version} className={`link ${deprecated ? "text-soft" : ""}`} to={`/tool/${tool.id}/${version}`}>
              {version}
              {deprecated && " (deprecated)"}
            </Link>
          ))}
        </span>
      </td>
      <td data-label="Kind">{tool.class ?? "unknown"}</td>
      <td data-label="Document">
        <ValidityBadge status={tool.validation_status} />
      </td>
      <td data-label="Container" className="code">
        {tool.container ?? <span className="text-soft">none</span>}
      </td>
      <td data-label="Used by" className="number">
        {tool.used_by_count} {tool.used_by_count === 1 ? "step" : "steps"}
      </td>
    </tr>
  );
}
