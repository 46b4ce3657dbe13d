import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { processPath } from "./run-paths.ts";

/** The network or tool of a run, linked to its page. */
export function ProcessLink({ run }: { readonly run: Pick<RunSummary, "network" | "tool"> }) {
  const process = run.network ?? run.tool;
  if (process === undefined) return null;
  return (
    <Link className="link" to={processPath(run)}>
      {process.id} {process.version}
    </Link>
  );
}
