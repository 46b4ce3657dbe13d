import { useMemo, useState } from "react";
import type { WholeTable } from "../../../api/queries/table-queries.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { measureText } from "../../../format/measure-text.ts";
import { Button } from "../../../ui/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Select } from "../../../ui/field.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { PlotFigure } from "./plot-figure.tsx";
import { BY_RUN, type Plot, groupColumns, measuresOf, plotOf } from "./plot-points.ts";
import type { Summary } from "./statistics.ts";

interface PlotsViewProps {
  readonly table: WholeTable;
  /** The samples that match the filter. */
  readonly names: ReadonlySet<string>;
  readonly onOpen: (sample: string) => void;
}

const SHAPES = ["●", "■", "▲", "◆"];

const STATISTICS: readonly (readonly [label: string, of: (summary: Summary) => number])[] = [
  ["Samples", ({ count }) => count],
  ["Mean", ({ mean }) => mean],
  ["SD", ({ sd }) => sd],
  ["Minimum", ({ min }) => min],
  ["Median", ({ median }) => median],
  ["Maximum", ({ max }) => max],
];

type Group = Plot["groups"][number];

const COLUMNS: readonly Column<Group>[] = [
  { label: "Group", className: "font-medium wrap-anywhere", render: ({ name }) => name || "All samples" },
  ...STATISTICS.map(([label, of]) => ({
    label,
    className: "tabular-nums",
    render: ({ summary }: Group) => measureText(of(summary)),
  })),
];

const MAX_OUTLIERS = 50;

/** The distribution of a measure, by group, or one measure against another: `?x=&y=&by=`. */
export default function PlotsView({ table, names, onOpen }: PlotsViewProps) {
  const measures = measuresOf(table);
  const groups = useMemo(() => groupColumns(table), [table]);
  const choice = useChoice(table, measures[0]?.id ?? "");
  const { x, y, by } = choice;
  const plot = useMemo(() => plotOf(table, names, { x, y, by }), [table, names, x, y, by]);
  if (plot === undefined) return <EmptyState text="Select a field with numbers to plot it." />;
  const named = measures.map(({ id, label }) => ({ id, label }));
  const runs = table.runs.length > 1 ? [{ id: BY_RUN, label: "Run" }] : [];
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        <Choice label="Measure" value={x} options={named} onChange={choice.setX} />
        <Choice
          label="Against"
          value={y}
          options={named.filter(({ id }) => id !== x)}
          none="Distribution"
          onChange={choice.setY}
        />
        <Choice
          label="Group by"
          value={by}
          options={[...runs, ...groups.filter(({ id }) => id !== x)].map(({ id, label }) => ({ id, label }))}
          none="No groups"
          onChange={choice.setBy}
        />
      </div>
      <Figure key={`${x} ${y} ${by}`} plot={plot} onOpen={onOpen} />
    </div>
  );
}

function Figure({ plot, onOpen }: { readonly plot: Plot; readonly onOpen: (sample: string) => void }) {
  const [bin, setBin] = useState<{ readonly text: string; readonly samples: readonly string[] } | undefined>(undefined);
  const title = titleOf(plot);
  return (
    <>
      <PlotFigure plot={plot} title={title} onOpen={onOpen} onOpenBin={setBin} />
      <PlotLegend plot={plot} />
      {bin !== undefined && (
        <SampleButtons title={`${plot.xLabel} ${bin.text}`} samples={bin.samples} onOpen={onOpen} />
      )}
      <PlotSummary plot={plot} title={title} onOpen={onOpen} />
    </>
  );
}

function titleOf({ kind, xLabel, yLabel }: Plot): string {
  if (kind === "scatter") return `${yLabel} against ${xLabel}`;
  return kind === "strip" ? `${yLabel} by group` : `Distribution of ${xLabel}`;
}

/** The choice in the URL, which may name fields that the table does not have. */
function useChoice({ columns, runs }: WholeTable, first: string) {
  const [xText, setX] = useSearchParam("x");
  const [yText, setY] = useSearchParam("y");
  const [byText, setBy] = useSearchParam("by-field");
  const known = (id: string) => columns.some((column) => column.id === id && column.type === "number");
  const isGroup = columns.some(({ id }) => id === byText) || (byText === BY_RUN && runs.length > 1);
  const x = known(xText) ? xText : first;
  const usual = runs.length > 1 ? BY_RUN : "";
  return {
    x,
    y: known(yText) && yText !== x ? yText : "",
    by: isGroup ? byText : byText === NO_GROUPS ? "" : usual,
    setX: (id: string) => setX(id, { replace: true }),
    setY: (id: string) => setY(id, { replace: true }),
    setBy: (id: string) => setBy(id === "" && usual !== "" ? NO_GROUPS : id, { replace: true }),
  };
}

const NO_GROUPS = "none";

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  /** Name of the empty choice. */
  readonly none?: string;
  readonly onChange: (id: string) => void;
}

function Choice({ label, value, options, none, onChange }: ChoiceProps) {
  return (
    <label className="flex items-center gap-2">
      {label}
      <Select className="w-auto max-w-64" value={value} none={none} options={options} onChoose={onChange} />
    </label>
  );
}

/** Groups by shape; marks of outliers; samples that are not shown. */
function PlotLegend({ plot: { kind, groups, missing } }: { readonly plot: Plot }) {
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

/** The contents of the plot as a table and a list of outliers. */
function PlotSummary({
  plot,
  title,
  onOpen,
}: {
  readonly plot: Plot;
  readonly title: string;
  readonly onOpen: (sample: string) => void;
}) {
  const outliers = plot.points.filter((point) => point.isOutlier);
  return (
    <>
      <DataTable caption={`Statistics: ${title}`} columns={COLUMNS} rows={plot.groups} keyOf={({ name }) => name} />
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
function SampleButtons({ title, samples, most = 200, onOpen }: SampleButtonsProps) {
  const unique = [...new Set(samples)];
  return (
    <section aria-label={title}>
      <h2 className="mb-1 wrap-anywhere">
        {title} ({numberText(unique.length)})
      </h2>
      <ul className="flex flex-wrap gap-1.5">
        {unique.slice(0, most).map((sample) => (
          <li key={sample}>
            <Button small onClick={() => onOpen(sample)}>
              {sample}
            </Button>
          </li>
        ))}
      </ul>
      {unique.length > most && <p className="mt-1 text-soft">and {unique.length - most} more</p>}
    </section>
  );
}
