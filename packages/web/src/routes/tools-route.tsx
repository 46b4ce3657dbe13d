import { useQuery } from "@tanstack/react-query";
import type { ToolSummary } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { toolListQuery } from "../api/catalog-queries.ts";
import { NewLinks } from "../components/process-link.tsx";
import { ValidityBadge } from "../components/badges.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState, NoMatch } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-field.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const COLUMNS: readonly Column[] = [
  { label: "Tool" },
  { label: "Latest" },
  { label: "All versions" },
  { label: "Kind" },
  { label: "Document" },
  { label: "Container" },
  { label: "Used by", number: true },
];

/** `/tool?q=` */
export default function ToolsRoute() {
  const [q] = useSearchParam("q");
  const tools = useQuery(toolListQuery(q));
  return (
    <>
      <PageHeading title="Tools" documentTitle="Tools" actions={<NewLinks to="/tools/new" label="New tool" />} />
      <div className="mb-3">
        <SearchBox label="ID, title or description" />
      </div>
      <QueryView query={tools}>
        {(data) => (data.tools.length === 0 ? <NoTools q={q} /> : <ToolTable tools={data.tools} />)}
      </QueryView>
    </>
  );
}

function NoTools({ q }: { readonly q: string }) {
  if (q === "") return <EmptyState text="The catalog has no tools." />;
  return <NoMatch text={`No tools match "${q}".`} filters={["q"]} />;
}

function ToolTable({ tools }: { readonly tools: readonly ToolSummary[] }) {
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
          <p className="text-small text-soft">{tool.label}</p>
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
