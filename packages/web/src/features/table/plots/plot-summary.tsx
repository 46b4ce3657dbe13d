import { useMemo } from "react";
import { countText, numberText } from "../../../format/count-text.ts";
import { DataTable } from "../../../ui/data-table.tsx";
import { valueText } from "../arrange-table.ts";
import type { Plot } from "./plot-points.ts";
import type { Summary } from "./statistics.ts";

const SHAPES = ["●", "■", "▲", "◆"];

/** Groups by shape; marks of outliers; samples that are not shown. */
export function PlotLegend({ plot: { kind, groups, missing } }: { readonly plot: Plot }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-soft">
      {groups.length > 1 &&
        groups.map(({ name, summary }, at) => (
          <span key={name} className="wrap-anywhere">
            {SHAPES[at % SHAPES.length]} {name} ({numberText(summary.count)})
          </span>
        ))}
      <span>
        {kind === "histogram" ? "✕ contains outliers" : "○ outlier"}: more than 1.5 interquartile ranges beyond the
        quartiles
        {groups.length > 1 && " of its group"}
      </span>
      {missing > 0 && <span>{countText(missing, "sample")} without a value</span>}
    </p>
  );
}

const STATISTICS: readonly { readonly label: string; readonly of: (summary: Summary) => number }[] = [
  { label: "Samples", of: ({ count }) => count },
  { label: "Mean", of: ({ mean }) => mean },
  { label: "SD", of: ({ sd }) => sd },
  { label: "Minimum", of: ({ min }) => min },
  { label: "Median", of: ({ median }) => median },
  { label: "Maximum", of: ({ max }) => max },
];

const MAX_OUTLIERS = 50;

/** The contents of the plot as a table and a list of outliers. */
export function PlotSummary({
  plot,
  title,
  onOpen,
}: {
  readonly plot: Plot;
  readonly title: string;
  readonly onOpen: (sample: string) => void;
}) {
  const outliers = useMemo(() => plot.points.filter((point) => point.isOutlier), [plot]);
  return (
    <>
      <DataTable
        caption={`Statistics: ${title}`}
        columns={[{ label: "Group" }, ...STATISTICS.map(({ label }) => ({ label }))]}
      >
        {plot.groups.map(({ name, summary }) => (
          <tr key={name}>
            <td data-label="Group" className="font-medium wrap-anywhere">
              {name === "" ? "All samples" : name}
            </td>
            {STATISTICS.map(({ label, of }) => (
              <td key={label} data-label={label} className="tabular-nums">
                {valueText(Number(of(summary).toPrecision(6)))}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
      {outliers.length > 0 && (
        <SampleButtons
          title="Outliers"
          samples={outliers.map(({ sample }) => sample)}
          most={MAX_OUTLIERS}
          onOpen={onOpen}
        />
      )}
    </>
  );
}

interface SampleButtonsProps {
  readonly title: string;
  readonly samples: readonly string[];
  readonly most?: number;
  readonly onOpen: (sample: string) => void;
}

/** A list of samples to open. */
export function SampleButtons({ title, samples, most = 200, onOpen }: SampleButtonsProps) {
  const unique = [...new Set(samples)];
  return (
    <section aria-label={title}>
      <h2 className="mb-1 wrap-anywhere">
        {title} ({numberText(unique.length)})
      </h2>
      <ul className="flex flex-wrap gap-1.5">
        {unique.slice(0, most).map((sample) => (
          <li key={sample}>
            <button type="button" className="btn btn-small max-md:min-h-11" onClick={() => onOpen(sample)}>
              {sample}
            </button>
          </li>
        ))}
      </ul>
      {unique.length > most && <p className="mt-1 text-soft">and {unique.length - most} more</p>}
    </section>
  );
}
