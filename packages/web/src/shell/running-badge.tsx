import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { serverQuery } from "../api/server-query.ts";
import { ACTIVE_STATES } from "../format/state-look.ts";
import { StateIcon } from "../ui/state-badge.tsx";
import { numberText } from "../format/count-text.ts";

/** Number of running runs, linked to them. */
export function RunningBadge() {
  const { data } = useQuery(serverQuery());
  const active = ACTIVE_STATES.reduce((sum, state) => sum + (data?.run_counts[state] ?? 0), 0);
  if (active === 0) return null;
  return (
    <Link
      to="/runs?state=running"
      className="flex min-h-7 items-center gap-1.5 rounded-full bg-running-soft px-2.5 text-[0.8125rem] font-semibold text-running max-md:min-h-11"
    >
      <StateIcon state="RUNNING" className="size-3.5" />
      <span className="tabular-nums">{numberText(active)}</span>
      <span className="max-sm:sr-only">running</span>
    </Link>
  );
}
