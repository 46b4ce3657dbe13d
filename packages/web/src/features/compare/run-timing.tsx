import { DataTable } from "../../ui/data-table.tsx";
import { MARKS } from "./compare-runs.ts";
import { hasMixedMemory, stepTimingRows, timingRows, type TimedRun, type TimingRow } from "./timing-rows.ts";

/**
 * Duration and resource usage of each run. These always differ and say nothing about results, so they are kept
 * separate.
 */
export function RunTiming({ runs }: { readonly runs: readonly TimedRun[] }) {
  const steps = stepTimingRows(runs);
  const count = runs.length;
  return (
    <section aria-label="Timing and resources">
      <p className="mb-2 text-soft">
        For information – not part of the verdict.
        {hasMixedMemory(runs) && " The runs measured memory in different ways, so these figures are not comparable."}
      </p>
      <TimingTable caption="Timing and resources" rows={timingRows(runs)} count={count} />
      {steps.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-soft">By step</summary>
          <div className="mt-2">
            <TimingTable caption="Timing and resources by step" rows={steps} count={count} />
          </div>
        </details>
      )}
    </section>
  );
}

interface TimingTableProps {
  readonly caption: string;
  readonly rows: readonly TimingRow[];
  readonly count: number;
}

function TimingTable({ caption, rows, count }: TimingTableProps) {
  const columns = [{ label: "Measure" }, ...MARKS.slice(0, count).map((label) => ({ label }))];
  return (
    <DataTable caption={caption} columns={columns}>
      {rows.map(({ name, cells }) => (
        <tr key={name}>
          <td data-label="Measure" className="font-medium wrap-anywhere">
            {name}
          </td>
          {cells.map((text, place) => (
            <td key={MARKS[place]} data-label={MARKS[place]} className="tabular-nums">
              {text}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}
