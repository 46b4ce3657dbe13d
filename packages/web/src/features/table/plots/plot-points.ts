import type { TableColumn, TableRow, TableValue } from "@weft/shared/records/table-record.ts";
import type { WholeTable } from "../../../api/queries/table-queries.ts";
import { RUN_MARKS, rowName } from "../pair-runs.ts";
import { isOutlier, summarize, type Summary } from "./statistics.ts";

/** The contents of a plot: ids of columns. */
interface PlotChoice {
  readonly x: string;
  /** "": the distribution of x. */
  readonly y: string;
  /** "": no groups; `run`: by run. */
  readonly by: string;
}

type PlotKind = "histogram" | "strip" | "scatter";

export interface PlotPoint {
  readonly sample: string;
  readonly x: number;
  readonly y: number;
  /** Position of its group. */
  readonly group: number;
  readonly isOutlier: boolean;
}

export interface PlotGroup {
  readonly name: string;
  /** The numbers of the measure, or of y in a scatter plot. */
  readonly summary: Summary;
}

export interface Plot {
  readonly kind: PlotKind;
  /** The points in the order of keyboard navigation. */
  readonly points: readonly PlotPoint[];
  readonly groups: readonly PlotGroup[];
  readonly xLabel: string;
  readonly yLabel: string;
  /** Number of samples without a value. */
  readonly missing: number;
}

export const BY_RUN = "run";
const MAX_GROUPS = 8;
const OTHERS = "others";
/** Numbers with few distinct values can be groups, such as sites. */
const MAX_DISTINCT = 12;

export function measuresOf({ columns }: Pick<WholeTable, "columns">): readonly TableColumn[] {
  return columns.filter(({ type }) => type === "number");
}

/** Columns by whose values samples can be grouped. */
export function groupColumns({ columns, rows }: Pick<WholeTable, "columns" | "rows">): readonly TableColumn[] {
  return columns.filter((_, at) => {
    const distinct = new Set(rows.map(({ values }) => values[at] ?? null));
    distinct.delete(null);
    return distinct.size >= 2 && distinct.size <= MAX_DISTINCT;
  });
}

/** The plot of a measure; undefined if the table does not have it. `names`: the samples to show. */
export function plotOf(table: WholeTable, names: ReadonlySet<string>, { x, y, by }: PlotChoice): Plot | undefined {
  const at = (id: string) => table.columns.findIndex((column) => column.id === id);
  const [xAt, yAt] = [at(x), at(y)];
  const [xColumn, yColumn] = [table.columns[xAt], table.columns[yAt]];
  if (xColumn === undefined) return undefined;
  const rows = table.rows.filter((row) => names.has(rowName(row)));
  const groupOf = grouping(table, rows, by, at(by));
  const found = rows.flatMap((row) => {
    const [a, b] = [row.values[xAt], yColumn === undefined ? 0 : row.values[yAt]];
    return typeof a === "number" && typeof b === "number" ? [{ sample: rowName(row), a, b, name: groupOf(row) }] : [];
  });
  const kind = yColumn !== undefined ? "scatter" : by === "" ? "histogram" : "strip";
  const groupNames = [...new Set(found.map(({ name }) => name))].toSorted(compareGroups);
  const place = new Map(groupNames.map((name, number) => [name, number]));
  const ofX = summariesOf(found, groupNames, "a");
  const ofY = kind === "scatter" ? summariesOf(found, groupNames, "b") : ofX;
  const points = pointsOf(found, kind, { place, ofX, ofY });
  return {
    kind,
    points: points.toSorted((one, other) =>
      kind === "strip" ? one.group - other.group || one.y - other.y : one.x - other.x || one.y - other.y,
    ),
    groups: groupNames.flatMap((name, number) => {
      const summary = ofY[number];
      return summary === undefined ? [] : [{ name, summary }];
    }),
    xLabel: kind === "strip" ? "" : xColumn.label,
    yLabel: kind === "scatter" ? (yColumn?.label ?? "") : kind === "strip" ? xColumn.label : "samples",
    missing: rows.length - found.length,
  };
}

/** A sample with the values of x and y, and the name of its group. */
interface Found {
  readonly sample: string;
  readonly a: number;
  readonly b: number;
  readonly name: string;
}

type Summaries = readonly (Summary | undefined)[];

function summariesOf(found: readonly Found[], names: readonly string[], key: "a" | "b"): Summaries {
  const byName = Map.groupBy(found, ({ name }) => name);
  return names.map((name) => summarize((byName.get(name) ?? []).map((one) => one[key])));
}

interface GroupFacts {
  readonly place: ReadonlyMap<string, number>;
  readonly ofX: Summaries;
  readonly ofY: Summaries;
}

function pointsOf(found: readonly Found[], kind: PlotKind, { place, ofX, ofY }: GroupFacts): readonly PlotPoint[] {
  const counts = ofX.map(() => 0);
  const isOut = (value: number, summary: Summary | undefined) => summary !== undefined && isOutlier(value, summary);
  return found.map(({ sample, a, b, name }): PlotPoint => {
    const group = place.get(name) ?? 0;
    const number = counts[group] ?? 0;
    counts[group] = number + 1;
    const isOutlying = isOut(a, ofX[group]) || (kind === "scatter" && isOut(b, ofY[group]));
    if (kind === "strip") return { sample, x: group + jitter(number), y: a, group, isOutlier: isOutlying };
    return { sample, x: a, y: b, group, isOutlier: isOutlying };
  });
}

/** The largest groups have names; the rest are one group. */
function grouping(table: WholeTable, rows: readonly TableRow[], by: string, column: number): (row: TableRow) => string {
  if (by === "" || (by !== BY_RUN && column < 0)) return () => "";
  if (by === BY_RUN) {
    const names = new Map(table.runs.map(({ run_id, name }, at) => [run_id, `${RUN_MARKS[at]}: ${name}`]));
    return ({ run_id }) => names.get(run_id) ?? "";
  }
  const nameOf = (value: TableValue | undefined) => String(value ?? "") || "no value";
  const counts = new Map<string, number>();
  for (const { values } of rows) counts.set(nameOf(values[column]), (counts.get(nameOf(values[column])) ?? 0) + 1);
  const largest = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, counts.size > MAX_GROUPS ? MAX_GROUPS - 1 : MAX_GROUPS);
  const named = new Set(largest.map(([name]) => name));
  return ({ values }) => (named.has(nameOf(values[column])) ? nameOf(values[column]) : OTHERS);
}

const collator = new Intl.Collator("en", { numeric: true });

function compareGroups(one: string, other: string): number {
  if (one === OTHERS || other === OTHERS) return one === OTHERS ? 1 : -1;
  return collator.compare(one, other);
}

/** Spreads points sideways, the same way each time: the golden ratio leaves no stripes. */
function jitter(number: number): number {
  return ((number * 0.618_033_988_75) % 1) * 0.5 - 0.25;
}
