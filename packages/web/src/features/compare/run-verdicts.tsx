import type { UseQueryResult } from "@tanstack/react-query";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { VerdictSentence } from "../../components/verdict-view.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { MARKS } from "./compare-runs.ts";

export interface RunVerdictsProps {
  readonly runs: readonly Run[];
  readonly comparisons: ReadonlyMap<string, UseQueryResult<RunComparison>>;
}

/** The verdict on each run compared with the first: by content, with the step where they diverged. */
export function RunVerdicts({ runs, comparisons }: RunVerdictsProps) {
  const [, only, ...more] = runs;
  if (only !== undefined && more.length === 0)
    return (
      <TitledSection title="Verdict" card>
        <ComparisonView comparison={comparisons.get(only.run_id)}>
          {(verdict) => <VerdictSentence verdict={verdict} runId={only.run_id} />}
        </ComparisonView>
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
            <ComparisonView comparison={comparisons.get(run.run_id)}>
              {(verdict) => <VerdictSentence verdict={verdict} runId={run.run_id} />}
            </ComparisonView>
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

interface ComparisonViewProps {
  readonly comparison: UseQueryResult<RunComparison> | undefined;
  readonly children: (verdict: RunComparison) => React.ReactNode;
}

function ComparisonView({ comparison, children }: ComparisonViewProps) {
  if (comparison === undefined) return <p className="text-soft">Available when both runs have finished.</p>;
  // Has the height of the sentence that replaces it.
  if (comparison.isPending)
    return (
      <p role="status" className="text-soft">
        Comparing…
      </p>
    );
  return <QueryView query={comparison}>{children}</QueryView>;
}
