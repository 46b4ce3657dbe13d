import { useQuery } from "@tanstack/react-query";
import { toolListQuery } from "../api/catalog-queries.ts";
import { NewLinks } from "../components/edit-link.tsx";
import { ToolTable } from "../features/tools/tool-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { NoMatch } from "../ui/no-match.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

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
  return <NoMatch text={`No tools match “${q}”.`} filters={["q"]} />;
}
