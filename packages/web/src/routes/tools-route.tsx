import { useQuery } from "@tanstack/react-query";
import type { ToolSummary } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { toolListQuery } from "../api/queries/catalog-queries.ts";
import { CatalogName, NewLinks } from "../components/process/process-link.tsx";
import { ValidityBadge } from "../components/badges.tsx";
import { countText } from "@weft/shared/text/count-text.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { NoMatch } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-field.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const COLUMNS: readonly Column<ToolSummary>[] = [
  {
    label: "Tool",
    bare: true,
    render: ({ id, label }) => <CatalogName to={`/tool/${id}`} id={id} label={label} />,
  },
  { label: "Latest", render: ({ version }) => version },
  { label: "All versions", render: (tool) => <VersionLinks tool={tool} /> },
  { label: "Kind", render: (tool) => tool.class ?? "unknown" },
  { label: "Document", render: (tool) => <ValidityBadge status={tool.validation_status} /> },
  {
    label: "Container",
    className: "code",
    render: ({ container }) => container ?? <span className="text-soft">none</span>,
  },
  { label: "Used by", number: true, render: (tool) => countText(tool.used_by_count, "step") },
];

/** `/tool?q=` */
export default function ToolsRoute() {
  const [q] = useSearchParam("q");
  const tools = useQuery(toolListQuery(q));
  return (
    <>
      <PageHeading title="Tools" actions={<NewLinks to="/tools/new" label="New tool" />} />
      <div className="mb-3">
        <SearchBox label="ID, title or description" />
      </div>
      <QueryView query={tools}>
        {(data) => (
          <DataTable
            caption="Tools of the catalog"
            columns={COLUMNS}
            rows={data.tools}
            keyOf={({ id }) => id}
            empty={q === "" ? "The catalog has no tools." : <NoMatch text={`No tools match "${q}".`} filters={["q"]} />}
          />
        )}
      </QueryView>
    </>
  );
}

function VersionLinks({ tool: { id, versions } }: { readonly tool: ToolSummary }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {versions.map(({ version, deprecated }) => (
        <Link key={version} className={`link ${deprecated ? "text-soft" : ""}`} to={`/tool/${id}/${version}`}>
          {version}
          {deprecated && " (deprecated)"}
        </Link>
      ))}
    </span>
  );
}
