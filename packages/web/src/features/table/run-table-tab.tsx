import type { Run } from "@weft/shared/records/run-record.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TableView } from "./table-view.tsx";

/** The samples of a run as a table and as plots. */
export default function RunTableTab({ run }: { readonly run: Run }) {
  if (!STATE_LOOKS[run.state].final) return <EmptyState text="Available when the run finishes." />;
  const process = (run.network ?? run.tool)?.id ?? "";
  return <TableView runIds={[run.run_id]} process={process} stamp={String(run.revision)} />;
}
