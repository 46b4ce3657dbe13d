import { Link } from "react-router-dom";
import { useRights } from "../api/session-query.ts";
import { Icon } from "../ui/icon.tsx";

/** Links to the run form of a network; renders nothing for users who may not start runs. */
export function RunNetworkLink({ id }: { readonly id: string }) {
  if (!useRights().has("runner")) return null;
  return (
    <Link className="btn btn-small max-md:min-h-11" to={`/network/${id}?tab=run`} aria-label={`Run ${id}`}>
      <Icon name="play" className="size-3.5" /> Run
    </Link>
  );
}
