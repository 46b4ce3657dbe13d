import type { UseQueryResult } from "@tanstack/react-query";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { VerdictSentence } from "../../components/run/verdict-view.tsx";
import { MAX_COMPARED_RUNS, links } from "../../format/links.ts";
import { Button } from "../../ui/button.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { NameLink } from "../../ui/text-link.tsx";
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
        <Link className="btn" to={links.addToComparison(runs)}>
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
        <NameLink to={links.run(run.run_id)}>{run.name}</NameLink>
      </span>
      <span className="text-soft">
        <TimeAgo time={run.start_time ?? run.created_at} />
      </span>
    </>
  );
}

interface RunActionsProps {
  readonly mark: string;
  /** Makes this run the base; undefined for the base itself. */
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
        <Button small onClick={onBase}>
          Use {mark} as baseline
        </Button>
      )}
      {onRemove !== undefined && (
        <Button look="quiet" small onClick={onRemove}>
          Remove {mark}
        </Button>
      )}
    </span>
  );
}

/** The comparisons of runs with the first one, by run. */
export type Comparisons = ReadonlyMap<string, UseQueryResult<RunComparison>>;

interface RunVerdictsProps {
  readonly runs: readonly Run[];
  readonly comparisons: Comparisons;
}

/** The verdict on each run compared with the first: by content, with the step where they diverged. */
export function RunVerdicts({ runs, comparisons }: RunVerdictsProps) {
  const [, only, ...more] = runs;
  if (only !== undefined && more.length === 0)
    return (
      <TitledSection title="Verdict" card>
        <Verdict runId={only.run_id} comparison={comparisons.get(only.run_id)} />
      </TitledSection>
    );
  return (
    <TitledSection title="Verdicts" card>
      <ul className="space-y-4">
        {runs.slice(1).map((run, place) => (
          <li key={MARKS[place + 1]} className="space-y-1">
            <h3 className="label-caps">
              {MARKS[0]} and {MARKS[place + 1]}
            </h3>
            <Verdict runId={run.run_id} comparison={comparisons.get(run.run_id)} />
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

interface VerdictProps {
  readonly runId: string;
  readonly comparison: UseQueryResult<RunComparison> | undefined;
}

function Verdict({ runId, comparison }: VerdictProps) {
  if (comparison === undefined) return <p className="text-soft">Available when both runs have finished.</p>;
  // Has the height of the sentence that replaces it.
  if (comparison.isPending)
    return (
      <p role="status" className="text-soft">
        Comparing…
      </p>
    );
  return <QueryView query={comparison}>{(verdict) => <VerdictSentence verdict={verdict} runId={runId} />}</QueryView>;
}
