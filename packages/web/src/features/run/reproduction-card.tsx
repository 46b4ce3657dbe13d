import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { comparisonPath } from "../../components/run-paths.ts";
import { VerdictView } from "../../components/verdict-view.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { TitledSection } from "../../ui/titled-section.tsx";

/** Which run a reproduction repeats, and the result. */
export function ReproductionCard({ run }: { readonly run: Run }) {
  const { reproduction } = run;
  if (reproduction === undefined) return null;
  const { of: original, verdict, tolerance } = reproduction;
  const hasTolerance = tolerance.relative > 0 || tolerance.absolute > 0;
  return (
    <TitledSection title="Reproduction" card>
      <p className="mb-2">
        This run reproduces{" "}
        <Link className="link" to={`/run/${original}`}>
          an earlier one
        </Link>
        {hasTolerance &&
          `; numbers may be ${tolerance.relative} of themselves and ${tolerance.absolute} beyond that apart`}
        .{" "}
        <Link className="link" to={comparisonPath([original, run.run_id])}>
          Both side by side
        </Link>
      </p>
      {verdict === null ? (
        <p className="text-soft">
          {STATE_LOOKS[run.state].final ? "They are being compared." : "They are compared when it has ended."}
        </p>
      ) : (
        <VerdictView verdict={verdict} runId={run.run_id} />
      )}
    </TitledSection>
  );
}
