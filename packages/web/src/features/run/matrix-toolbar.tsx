import type { Run } from "@weft/shared/records/run-record.ts";
import { useNavigate } from "react-router-dom";
import { hasForm, runAgainPath, type LeftOutSamples } from "../../components/run-paths.ts";
import { useCanRunAgain } from "../../components/use-can-run-again.ts";
import { useIsPast } from "../../components/use-moment.ts";
import { countText, numberText } from "../../format/count-text.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Icon } from "../../ui/icon.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { countOutcomes, SAMPLE_OUTCOMES, type Matrix, type MatrixRow } from "./arrange-matrix.ts";
import { RetryButton } from "./retry-button.tsx";
import { withAll, type Selection } from "./select-rows.ts";

export interface MatrixToolbarProps {
  readonly run: Run;
  readonly matrix: Matrix;
  /** Rows that match the filter. */
  readonly rows: readonly MatrixRow[];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
}

/** The filter, and the actions on selected samples. */
export function MatrixToolbar(props: MatrixToolbarProps) {
  const { matrix, rows, selection, onSelection } = props;
  const isPast = useIsPast();
  return (
    <div className="mb-2 flex min-h-9 flex-wrap items-center gap-2">
      <div className="w-full md:w-64">
        <SearchBox label="Find samples" />
      </div>
      <OutcomeSelect matrix={matrix} />
      <span role="status" className="text-soft tabular-nums">
        {selection.size > 0
          ? `${selection.size} of ${countText(matrix.rows.length, "sample")} selected`
          : countText(rows.length, "sample")}
      </span>
      {isPast ? undefined : selection.size === 0 ? (
        <button
          type="button"
          className="btn btn-small btn-quiet"
          disabled={rows.length === 0}
          onClick={() =>
            onSelection(
              withAll(
                selection,
                rows.map(({ sample }) => sample),
              ),
            )
          }
        >
          Select {rows.length < matrix.rows.length ? "these" : "all"}
        </button>
      ) : (
        <SelectionActions {...props} />
      )}
    </div>
  );
}

function OutcomeSelect({ matrix }: Pick<MatrixToolbarProps, "matrix">) {
  const [outcome, setOutcome] = useSearchParam("outcome");
  const counts = countOutcomes(matrix.rows);
  return (
    <select
      className="input w-auto"
      aria-label="Sample state"
      value={outcome}
      onChange={(event) => setOutcome(event.target.value)}
    >
      <option value="">All states ({numberText(matrix.rows.length)})</option>
      {SAMPLE_OUTCOMES.filter(({ id }) => counts.has(id) || id === outcome).map(({ id, label }) => (
        <option key={id} value={id}>
          {label} ({numberText(counts.get(id) ?? 0)})
        </option>
      ))}
    </select>
  );
}

function SelectionActions({ run, matrix, selection, onSelection }: MatrixToolbarProps) {
  const navigate = useNavigate();
  const canRun = useCanRunAgain(run);
  const chosen = matrix.rows.filter(({ sample }) => selection.has(sample));
  const names = chosen.map(({ sample }) => sample);
  const indexes = chosen.flatMap(({ index }) => index ?? []);
  // Only elements of input lists can be left out, and at least one must remain.
  const canLeaveOut = canRun && indexes.length === chosen.length && chosen.length < matrix.rows.length;
  const leaveOut = (): void => {
    const state: LeftOutSamples = { leftOut: { names, indexes } };
    void navigate(runAgainPath(run), { state });
  };
  return (
    <>
      {STATE_LOOKS[run.state].final && chosen.length > 0 && <RetryButton run={run} samples={names} />}
      {canLeaveOut && run.network !== undefined && hasForm(run) && chosen.length > 0 && (
        <button type="button" className="btn" onClick={leaveOut}>
          <Icon name="again" /> Run again without {countText(chosen.length, "sample")}
        </button>
      )}
      <button type="button" className="btn btn-quiet" onClick={() => onSelection(new Set())}>
        Clear selection
      </button>
    </>
  );
}
