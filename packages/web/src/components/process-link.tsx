import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { isWesDocument } from "@weft/shared/records/wes-document-id.ts";
import { Link } from "react-router-dom";
import { useRights } from "../api/session-query.ts";
import { Icon } from "../ui/icon.tsx";
import { processPath } from "./run-paths.ts";

/** The network or tool of a run, linked to its page. What another engine ran has none. */
export function ProcessLink({ run }: { readonly run: Pick<RunSummary, "network" | "tool" | "foreign"> }) {
  const process = run.network ?? run.tool;
  if (process === undefined) return null;
  if (run.foreign === true) return <>{process.id}</>;
  return (
    <Link className="link" to={processPath(run)}>
      {isWesDocument(process.id) ? process.label : process.id} {process.version}
    </Link>
  );
}

/** Links to the run form of a network; renders nothing for users who may not start runs. */
export function RunNetworkLink({ id }: { readonly id: string }) {
  if (!useRights().has("runner")) return null;
  return (
    <Link className="btn btn-small max-md:min-h-11" to={`/network/${id}?tab=run`} aria-label={`Run ${id}`}>
      <Icon name="play" className="size-3.5" /> Run
    </Link>
  );
}
