import type { Run } from "@weft/shared/records/run-record.ts";
import { useDeferredValue, useMemo, useState } from "react";
import { useAllJobs, useIsPast } from "../../components/use-moment.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { arrangeMatrix, filterRows, samplesOfJobs, type Matrix } from "./arrange-matrix.ts";
import { MatrixGrid } from "./matrix-grid.tsx";
import { MatrixToolbar } from "./matrix-toolbar.tsx";
import type { Selection } from "./select-rows.ts";
import { useMatrix } from "./use-matrix.ts";
import { numberText } from "../../format/count-text.ts";

/** Samples as rows, steps as columns: shows the progress of each sample, and retries or leaves out selected ones. */
export default function SampleMatrix({ run }: { readonly run: Run }) {
  return useIsPast() ? <PastMatrix run={run} /> : <PresentMatrix run={run} />;
}

function PresentMatrix({ run }: { readonly run: Run }) {
  const { samples, matrix } = useMatrix(run);
  return <QueryView query={samples}>{({ total }) => <MatrixView run={run} matrix={matrix} total={total} />}</QueryView>;
}

/** At an earlier event: computed from the jobs at that time. */
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
      <MatrixGrid run={run} steps={matrix.steps} rows={rows} selection={selection} onSelection={setSelection} />
      {matrix.rows.length < total && (
        <p className="mt-2 text-canceled">
          Showing the first {numberText(matrix.rows.length)} of {numberText(total)} samples. Find others by name in the
          Jobs tab.
        </p>
      )}
    </>
  );
}
