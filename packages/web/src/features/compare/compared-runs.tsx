import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { addToComparisonPath, MAX_COMPARED_RUNS } from "../../components/run-paths.ts";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { MARKS } from "./compare-runs.ts";

const COLUMNS = ["", "xl:grid-cols-3", "xl:grid-cols-4"] as const;

/** The compared runs: users can change the base, add and remove runs. */
export function ComparedRuns({ runs }: { readonly runs: readonly Run[] }) {
  const [, setCompare] = useSearchParam("compare");
  const others = (place: number): readonly string[] => runs.filter((_, n) => n !== place).map(({ run_id }) => run_id);
  return (
    <div className="space-y-3">
      <ul className={`grid gap-3 md:grid-cols-2 ${COLUMNS[runs.length - 2] ?? ""}`}>
        {runs.map((run, place) => (
          <li key={MARKS[place]} className="card flex flex-wrap content-start items-center gap-3 px-4 py-3">
            <RunFacts mark={MARKS[place] ?? ""} run={run} />
            <RunActions
              mark={MARKS[place] ?? ""}
              onBase={place === 0 ? undefined : () => setCompare([run.run_id, ...others(place)].join(","))}
              onRemove={runs.length === 2 ? undefined : () => setCompare(others(place).join(","))}
            />
          </li>
        ))}
      </ul>
      {runs.length < MAX_COMPARED_RUNS && (
        <Link className="btn" to={addToComparisonPath(runs)}>
          Add a run…
        </Link>
      )}
    </div>
  );
}

function RunFacts({ mark, run }: { readonly mark: string; readonly run: Run }) {
  return (
    <>
      <span className="text-lg font-bold">{mark}</span>
      <StateBadge state={run.state} />
      <span className="min-w-0">
        <Link className="link font-medium wrap-anywhere" to={`/run/${run.run_id}`}>
          {run.name}
        </Link>
      </span>
      <span className="text-soft">
        <TimeAgo time={run.start_time ?? run.created_at} />
      </span>
    </>
  );
}

interface RunActionsProps {
  readonly mark: string;
  /** Absent for the base itself. */
  readonly onBase: (() => void) | undefined;
  /** Absent if only one run would remain. */
  readonly onRemove: (() => void) | undefined;
}

function RunActions({ mark, onBase, onRemove }: RunActionsProps) {
  return (
    <span className="ml-auto flex flex-wrap items-center gap-2">
      {onBase === undefined ? (
        <span className="text-soft">Baseline</span>
      ) : (
        <button type="button" className="btn btn-small max-md:min-h-11" onClick={onBase}>
          Use {mark} as baseline
        </button>
      )}
      {onRemove !== undefined && (
        <button type="button" className="btn btn-small btn-quiet max-md:min-h-11" onClick={onRemove}>
          Remove {mark}
        </button>
      )}
    </span>
  );
}
