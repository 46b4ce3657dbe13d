import { DataTable } from "../../ui/data-table.tsx";
import { MARKS } from "./compare-runs.ts";
import { hasMixedMemory, stepTimingRows, timingRows, type TimedRun, type TimingRow } from "./timing-rows.ts";

/** What each run took and used. It always differs and says nothing about results, so it is kept separate. */
export function RunTiming({ runs }: { readonly runs: readonly TimedRun[] }) {
  const steps = stepTimingRows(runs);
  const count = runs.length;
  return (
    <section aria-label="Timing and resources">
      <p className="mb-2 text-soft">
        Never a difference of results.
        {hasMixedMemory(runs) && " Memory was measured in different ways, which do not compare."}
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
  const columns = [{ label: "What" }, ...MARKS.slice(0, count).map((label) => ({ label }))];
  return (
    <DataTable caption={caption} columns={columns}>
      {rows.map(({ name, cells }) => (
        <tr key={name}>
          <td data-label="What" className="font-medium wrap-anywhere">
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
