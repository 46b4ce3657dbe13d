import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { comparisonPath } from "../../components/run-paths.ts";
import { VerdictView } from "../../components/verdict-view.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { TitledSection } from "../../ui/titled-section.tsx";

/** The original run of a reproduction, and the result of the comparison. */
export function ReproductionCard({ run }: { readonly run: Run }) {
  const { reproduction } = run;
  if (reproduction === undefined) return null;
  const { of: original, verdict, tolerance } = reproduction;
  const hasTolerance = tolerance.relative > 0 || tolerance.absolute > 0;
  return (
    <TitledSection title="Reproduction" card>
      <p className="mb-2">
        Reproduces{" "}
        <Link className="link" to={`/run/${original}`}>
          an earlier run
        </Link>
        {hasTolerance &&
          `; tolerance: ${Number((tolerance.relative * 100).toPrecision(6))} % relative, ${tolerance.absolute} absolute`}
        .{" "}
        <Link className="link" to={comparisonPath([original, run.run_id])}>
          Compare
        </Link>
      </p>
      {verdict === null ? (
        <p className="text-soft">{STATE_LOOKS[run.state].final ? "Comparing…" : "Compared when this run finishes."}</p>
      ) : (
        <VerdictView verdict={verdict} runId={run.run_id} />
      )}
    </TitledSection>
  );
}
