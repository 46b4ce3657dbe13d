import type { TableColumn, TableRow, TableValue } from "@weft/shared/records/table-record.ts";
import type { WholeTable } from "../../api/queries/table-queries.ts";

/** Several runs with one row for each sample. */
export interface PairedTable {
  readonly columns: readonly PairedColumn[];
  readonly rows: readonly TableRow[];
  /** Samples with a value that differs from that of the first run. */
  readonly changed: ReadonlySet<string>;
}

export interface PairedColumn extends TableColumn {
  /** True if the values are the difference from the first run. */
  readonly isDifference: boolean;
}

/** Letters that name the runs in a table, in their order. */
export const RUN_MARKS = "ABCDEFGHIJ";

/**
 * For each field, a column for each run, and the differences from the first run. A field of the dataset that no run
 * contradicts, such as the age, has one column.
 */
export function pairRuns({ runs, columns, rows }: WholeTable): PairedTable {
  const bySample = Map.groupBy(rows, rowName);
  const place = new Map(runs.map(({ run_id }, at) => [run_id, at]));
  const isShared = columns.map(({ source }, at) => source === "dataset" && isOfSample([...bySample.values()], at));
  const paired = columns.flatMap((column, at) =>
    isShared[at] === true ? [{ ...column, isDifference: false }] : columnsOf(column, runs.length),
  );
  const changed = new Set<string>();
  const pairedRows = [...bySample].map(([name, own]): TableRow => {
    const ofRun = (at: number) => own.find(({ run_id }) => place.get(run_id) === at)?.values;
    const [first] = own;
    const values = columns.flatMap(({ type }, column) => {
      if (isShared[column] === true) return [firstOf(own, column)];
      const each = runs.map((_, at): TableValue => ofRun(at)?.[column] ?? null);
      if (each.some((value) => value !== each[0])) changed.add(name);
      const differences = each.slice(1).map((value) => difference(value, each[0] ?? null));
      return type === "number" ? [...each, ...differences] : each;
    });
    return { run_id: first?.run_id ?? "", sample_id: first?.sample_id ?? null, index: first?.index ?? null, values };
  });
  return { columns: paired, rows: pairedRows, changed };
}

/** True if each sample has the same value in all runs that contain it. */
function isOfSample(samples: readonly (readonly TableRow[])[], column: number): boolean {
  return samples.every((own) => {
    const first = firstOf(own, column);
    return own.every(({ values }) => (values[column] ?? first) === first);
  });
}

function firstOf(own: readonly TableRow[], column: number): TableValue {
  return own.find(({ values }) => (values[column] ?? null) !== null)?.values[column] ?? null;
}

/** A column for each run, then the differences of numbers from the first run. */
function columnsOf({ id, source, label, type }: TableColumn, runs: number): readonly PairedColumn[] {
  const marks = [...RUN_MARKS].slice(0, runs);
  const named = (mark: string, isDifference: boolean): PairedColumn => ({
    id: `${id} ${mark}`,
    source,
    label: `${label} ${mark}`,
    type,
    isDifference,
  });
  const differences = type === "number" ? marks.slice(1).map((mark) => named(`${mark} − A`, true)) : [];
  return [...marks.map((mark) => named(mark, false)), ...differences];
}

/** The sample, or its number in a list. */
export function rowName({ sample_id, index }: Pick<TableRow, "sample_id" | "index">): string {
  return sample_id ?? `#${(index ?? 0) + 1}`;
}

function difference(value: TableValue, base: TableValue): TableValue {
  return typeof value === "number" && typeof base === "number" ? value - base : null;
}
