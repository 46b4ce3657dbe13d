import type { Tool } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";

const COLUMNS: readonly Column[] = [{ label: "Network" }, { label: "Step" }, { label: "Version of the tool" }];

/** The steps of networks that run any version of this tool. */
export function ToolUsage({ usedBy }: { readonly usedBy: Tool["used_by"] }) {
  if (usedBy.length === 0) return <EmptyState text="No network of the catalog uses this tool." />;
  return (
    <DataTable caption="Networks that use this tool" columns={COLUMNS}>
      {usedBy.map((use) => (
        <tr key={`${use.network} ${use.version ?? ""} ${use.step} ${use.tool_version}`}>
          <td data-label="Network">
            <Link
              className="link font-medium"
              to={`/network/${use.network}?step=${encodeURIComponent(use.step)}${use.version === null ? "" : `&v=${encodeURIComponent(use.version)}`}`}
            >
              {use.network} {use.version}
            </Link>
          </td>
          <td data-label="Step">{use.step}</td>
          <td data-label="Tool version">{use.tool_version}</td>
        </tr>
      ))}
    </DataTable>
  );
}
