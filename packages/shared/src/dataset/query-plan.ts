import type { DatasetColumn, DatasetCondition, DatasetQuery } from "../records/dataset-record.ts";
import { ENTITY_LABELS } from "./dataset-terms.ts";
import { findField, type FieldReader } from "./field-values.ts";
import type { Companions } from "./find-companions.ts";
import type { DatasetIndex } from "./index-dataset.ts";
import { faultOfValues } from "./match-condition.ts";

/** A mistake in a query; `pointer` leads to it (RFC 6901). */
export interface QueryFault {
  readonly pointer: string;
  readonly detail: string;
}

export interface Test {
  readonly condition: DatasetCondition;
  readonly field: FieldReader;
}

export type FileColumn = Extract<DatasetColumn, { kind: "file" | "files" }>;
export type SidecarColumn = Extract<DatasetColumn, { kind: "sidecar" }>;
export type ValueColumn = Extract<DatasetColumn, { kind: "value" }>;

/** A query whose fields are known to the dataset. */
export interface QueryPlan {
  readonly per: readonly FieldReader[];
  readonly isPerFile: boolean;
  /** Conditions about tables first: their reasons are the most useful. */
  readonly where: readonly Test[];
  readonly fileColumns: readonly { readonly column: FileColumn; readonly tests: readonly Test[] }[];
  readonly sidecarColumns: readonly SidecarColumn[];
  readonly valueColumns: readonly { readonly column: ValueColumn; readonly field: FieldReader }[];
  /** Names of all columns, in the order of the query. */
  readonly columns: readonly string[];
}

export function planQuery(
  query: DatasetQuery,
  index: DatasetIndex,
  companions: Companions,
): { readonly plan: QueryPlan } | { readonly faults: readonly QueryFault[] } {
  const faults: QueryFault[] = [];
  const field = (name: string, pointer: string): FieldReader[] => {
    const found = findField(name, index, companions);
    if (found === undefined) faults.push({ pointer, detail: unknownField(name, index) });
    return found === undefined ? [] : [found];
  };
  const tests = (conditions: readonly DatasetCondition[] | undefined, pointer: string): Test[] =>
    (conditions ?? []).flatMap((condition, at) => {
      const fault = faultOfValues(condition);
      if (fault !== undefined) faults.push({ pointer: `${pointer}/${at}`, detail: `${condition.field}: ${fault}` });
      return field(condition.field, `${pointer}/${at}/field`).map((found) => ({ condition, field: found }));
    });
  const where = tests(query.where, "/where");
  const columns = query.columns.map((column, at) => ({ column, pointer: `/columns/${at}` }));
  const plan: QueryPlan = {
    per: query.per.flatMap((name, at) => field(name, `/per/${at}`)),
    isPerFile: query.per.includes("path"),
    where: [
      ...where.filter(({ field: { kind } }) => kind === "table"),
      ...where.filter(({ field: { kind } }) => kind !== "table"),
    ],
    fileColumns: columns.flatMap(({ column, pointer }) =>
      column.kind === "file" || column.kind === "files"
        ? [{ column, tests: tests(column.where, `${pointer}/where`) }]
        : [],
    ),
    sidecarColumns: columns.flatMap(({ column }) => (column.kind === "sidecar" ? [column] : [])),
    valueColumns: columns.flatMap(({ column, pointer }) =>
      column.kind === "value" ? field(column.field, `${pointer}/field`).map((found) => ({ column, field: found })) : [],
    ),
    columns: query.columns.map(({ name }) => name),
  };
  faults.push(...faultsOfColumns(query, plan));
  return faults.length === 0 ? { plan } : { faults };
}

function faultsOfColumns({ columns, per }: DatasetQuery, { fileColumns }: QueryPlan): QueryFault[] {
  const faults: QueryFault[] = [];
  const names = columns.map(({ name }) => name);
  for (const [at, column] of columns.entries()) {
    const pointer = `/columns/${at}`;
    if (names.indexOf(column.name) !== at)
      faults.push({ pointer: `${pointer}/name`, detail: `there are two columns "${column.name}"` });
    if (
      column.kind === "sidecar" &&
      !fileColumns.some(({ column: { kind, name } }) => kind === "file" && name === column.of)
    )
      faults.push({ pointer: `${pointer}/of`, detail: `there is no column "${column.of}" of kind file` });
  }
  if (fileColumns.length === 0) faults.push({ pointer: "/columns", detail: "a query needs a column of files" });
  if (!per.includes("path")) return faults;
  if (per.length > 1) faults.push({ pointer: "/per", detail: "path identifies a file by itself" });
  if (fileColumns.length !== 1 || fileColumns[0]?.column.kind !== "file")
    faults.push({ pointer: "/columns", detail: "one sample per file takes exactly one column of kind file" });
  return faults;
}

function unknownField(name: string, index: DatasetIndex): string {
  const known = [...fieldNames(index), ...index.participantColumns, ...index.sessionColumns].slice(0, 30);
  return `the dataset has no field "${name}"; it has ${known.join(", ")}`;
}

/** Fields in file names, entities first. */
export function fieldNames(index: DatasetIndex): string[] {
  const found = new Set(index.files.flatMap(({ fields }) => Object.keys(fields)));
  const entities = Object.keys(ENTITY_LABELS).filter((name) => found.has(name));
  return [...entities, ...[...found].filter((name) => !entities.includes(name))];
}
