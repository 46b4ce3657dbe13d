import { useQuery } from "@tanstack/react-query";
import type { Tool } from "@weft/shared/records/process-record.ts";
import { toolSizingQuery } from "../../api/insight-queries.ts";
import { SizingView } from "../../components/sizing/sizing-view.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";

/** Requested and used resources of this version's jobs. */
export default function ToolSizing({ tool }: { readonly tool: Tool }) {
  if (tool.version === null) return <EmptyState text="No measurements: this tool has no version." />;
  return <OfVersion id={tool.id} version={tool.version} />;
}

function OfVersion({ id, version }: { readonly id: string; readonly version: string }) {
  const sizing = useQuery(toolSizingQuery(id, version));
  return (
    <QueryView query={sizing} rows={4}>
      {(data) => <SizingView sizing={data} name={`${id} ${version}`} />}
    </QueryView>
  );
}
