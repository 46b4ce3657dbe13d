import type { Run } from "@weft/shared/records/run-record.ts";
import { useDeferredValue, useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useCanRunAgain } from "../../../components/role-gate.tsx";
import type { LeftOutSamples } from "../../../components/form-state.ts";
import { useAllJobs, useIsPast } from "../../../components/run/use-moment.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { hasForm, links } from "../../../format/links.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { SearchBox } from "../../../ui/search-field.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import {
  type Matrix,
  type MatrixRow,
  SAMPLE_OUTCOMES,
  type Selection,
  arrangeMatrix,
  countOutcomes,
  filterRows,
  samplesOfJobs,
  useMatrix,
  withAll,
} from "./arrange-matrix.ts";
import { MatrixGrid } from "./matrix-grid.tsx";
import { RetryButton } from "../failures/failure-actions.tsx";
import { Toolbar } from "../../../ui/toolbar.tsx";
import { TextLink } from "../../../ui/text-link.tsx";

/** Samples as rows, steps as columns: shows the progress of each sample, and retries or leaves out selected ones. */
export default function SampleMatrix({ run }: { readonly run: Run }) {
  return useIsPast() ? <PastMatrix run={run} /> : <PresentMatrix run={run} />;
}

function PresentMatrix({ run }: { readonly run: Run }) {
  const { samples, matrix } = useMatrix(run);
  return <QueryView query={samples}>{({ total }) => <MatrixView run={run} matrix={matrix} total={total} />}</QueryView>;
}

/** The matrix at an earlier event, computed from the jobs at that time. */
function PastMatrix({ run }: { readonly run: Run }) {
  const jobs = useAllJobs(run);
  return (
    <QueryView query={jobs}>
      {(data) => {
        const steps = run.step_counts.map(({ step }) => step);
        const matrix = arrangeMatrix(samplesOfJobs(steps, data.jobs), { isOpen: !STATE_LOOKS[run.state].final });
        return <MatrixView run={run} matrix={matrix} total={matrix.rows.length} />;
      }}
    </QueryView>
  );
}

interface MatrixViewProps {
  readonly run: Run;
  readonly matrix: Matrix;
  /** Total number of samples of the run. */
  readonly total: number;
}

function MatrixView({ run, matrix, total }: MatrixViewProps) {
  const [text] = useSearchParam("q");
  const [outcome] = useSearchParam("outcome");
  const shownText = useDeferredValue(text);
  const rows = useMemo(() => filterRows(matrix.rows, { text: shownText, outcome }), [matrix, shownText, outcome]);
  const [selection, setSelection] = useState<Selection>(() => new Set());
  return (
    <>
      <MatrixToolbar run={run} matrix={matrix} rows={rows} selection={selection} onSelection={setSelection} />
      <MatrixGrid
        key={`${outcome} ${shownText}`}
        run={run}
        steps={matrix.steps}
        rows={rows}
        selection={selection}
        onSelection={setSelection}
      />
      {matrix.rows.length < total && (
        <p className="mt-2 text-canceled">
          Showing the first {numberText(matrix.rows.length)} of {numberText(total)} samples. Find others by name in{" "}
          <TextLink to="?tab=jobs">Jobs</TextLink>.
        </p>
      )}
    </>
  );
}

interface MatrixToolbarProps {
  readonly run: Run;
  readonly matrix: Matrix;
  /** Rows that match the filter. */
  readonly rows: readonly MatrixRow[];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
}

/** The filter, and the actions on selected samples. */
function MatrixToolbar(props: MatrixToolbarProps) {
  const { matrix, rows, selection } = props;
  const isPast = useIsPast();
  // Actions apply to all selected samples, also to those that the filter hides.
  const hidden = selection.size - rows.filter(({ sample }) => selection.has(sample)).length;
  return (
    <Toolbar
      className="mb-2 min-h-9"
      status={
        selection.size > 0
          ? `${numberText(selection.size)} of ${countText(matrix.rows.length, "sample")} selected${hidden === 0 ? "" : `, ${numberText(hidden)} not shown`}`
          : countText(rows.length, "sample")
      }
      actions={isPast ? undefined : selection.size === 0 ? <SelectAll {...props} /> : <SelectionActions {...props} />}
    >
      <div className="w-full md:w-64">
        <SearchBox label="Find samples" />
      </div>
      <OutcomeSelect matrix={matrix} />
    </Toolbar>
  );
}

function SelectAll({ matrix, rows, selection, onSelection }: MatrixToolbarProps) {
  const samples = rows.map(({ sample }) => sample);
  return (
    <Button look="quiet" small disabled={rows.length === 0} onClick={() => onSelection(withAll(selection, samples))}>
      Select {rows.length < matrix.rows.length ? "these" : "all"}
    </Button>
  );
}

function OutcomeSelect({ matrix }: Pick<MatrixToolbarProps, "matrix">) {
  const [outcome, setOutcome] = useSearchParam("outcome");
  const counts = countOutcomes(matrix.rows);
  return (
    <Select<string>
      className="w-auto"
      aria-label="Sample state"
      value={outcome}
      none={`All states (${numberText(matrix.rows.length)})`}
      options={SAMPLE_OUTCOMES.filter(({ id }) => counts.has(id) || id === outcome).map(({ id, label }) => ({
        id,
        label: `${label} (${numberText(counts.get(id) ?? 0)})`,
      }))}
      onChoose={setOutcome}
    />
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
    void navigate(links.runAgain(run), { state });
  };
  return (
    <>
      {STATE_LOOKS[run.state].final && chosen.length > 0 && <RetryButton run={run} samples={names} />}
      {canLeaveOut && run.network !== undefined && hasForm(run) && chosen.length > 0 && (
        <Button onClick={leaveOut}>
          <Icon name="again" /> Run again without {countText(chosen.length, "sample")}
        </Button>
      )}
      <Button look="quiet" onClick={() => onSelection(new Set())}>
        Clear selection
      </Button>
    </>
  );
}
