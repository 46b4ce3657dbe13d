import { useMemo, useState } from "react";
import type { WholeTable } from "../../../api/table-queries.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { PlotFigure } from "./plot-figure.tsx";
import { BY_RUN, groupColumns, measuresOf, plotOf, type Plot } from "./plot-points.ts";
import { PlotLegend, PlotSummary, SampleButtons } from "./plot-summary.tsx";

export interface PlotsViewProps {
  readonly table: WholeTable;
  /** The samples that match the filter. */
  readonly names: ReadonlySet<string>;
  readonly onOpen: (sample: string) => void;
}

/** The distribution of a measure, by group, or one measure against another: `?x=&y=&by=`. */
export default function PlotsView({ table, names, onOpen }: PlotsViewProps) {
  const measures = useMemo(() => measuresOf(table), [table]);
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

/** From the URL: may name fields that the table does not have. */
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
      <select className="input w-auto max-w-64" value={value} onChange={(event) => onChange(event.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
