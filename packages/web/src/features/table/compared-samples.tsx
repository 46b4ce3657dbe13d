import { useQueries } from "@tanstack/react-query";
import { comparedRunQuery } from "../../api/run-queries.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TableView } from "./table-view.tsx";

/** The samples of several runs side by side, with differences from the first run. */
export default function ComparedSamples({ runIds }: { readonly runIds: readonly string[] }) {
  const unique = [...new Set(runIds)];
  const queries = useQueries({ queries: unique.map(comparedRunQuery) });
  const missing = queries.find(({ data }) => data === undefined);
  if (missing !== undefined) return <QueryView query={missing}>{() => null}</QueryView>;
  const runs = queries.flatMap(({ data }) => data ?? []);
  const open = runs.find(({ state }) => !STATE_LOOKS[state].final);
  if (open !== undefined) return <EmptyState text={`Available when ${open.name} finishes.`} />;
  const [first] = runs;
  const process = (first?.network ?? first?.tool)?.id ?? "";
  return <TableView runIds={unique} process={process} stamp={runs.map(({ revision }) => revision).join(",")} />;
}
