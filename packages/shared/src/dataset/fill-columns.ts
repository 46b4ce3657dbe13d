import { writeConditions } from "./condition-text.ts";
import { firstUnmet } from "./explain-file.ts";
import type { Companions } from "./find-companions.ts";
import type { IndexedFile } from "./index-dataset.ts";
import type { FileColumn, QueryPlan, Test } from "./query-plan.ts";

/** A file with its companions. */
export interface SelectedFile {
  readonly file: IndexedFile;
  readonly secondary: readonly IndexedFile[];
}

/** `undefined`: an optional column without a value. */
export type SelectedValue = SelectedFile | readonly SelectedFile[] | string | undefined;

export type Filled =
  | { readonly columns: Readonly<Record<string, SelectedValue>>; readonly used: readonly string[] }
  /** `isAboutSample`: the files match, but the sample lacks something else. */
  | { readonly reason: string; readonly isAboutSample: boolean };

/** The columns of one sample from the files that belong to it, or the reason why it is left out. */
export function fillColumns(files: readonly IndexedFile[], plan: QueryPlan, companions: Companions): Filled {
  const matching = narrow(files, plan.where, []);
  if ("reason" in matching) return { ...matching, isAboutSample: false };
  const columns = new Map<string, SelectedValue>();
  for (const { column, tests } of plan.fileColumns) {
    const found = narrow(matching.files, tests, plan.where);
    const isNone = "reason" in found;
    if (isNone && column.optional !== true) return { ...found, isAboutSample: false };
    const filled = isNone ? { value: undefined } : takeFiles(column, found.files, companions);
    if ("reason" in filled) return filled;
    columns.set(column.name, filled.value);
  }
  const rest = fillRest(columns, plan, companions);
  if (rest !== undefined) return rest;
  const ordered = Object.fromEntries(plan.columns.map((name) => [name, columns.get(name)]));
  return { columns: ordered, used: Object.values(ordered).flatMap(pathsOf) };
}

export function filesOfValue(value: SelectedValue): readonly SelectedFile[] {
  if (value === undefined || typeof value === "string") return [];
  return "file" in value ? [value] : value;
}

function pathsOf(value: SelectedValue): string[] {
  return filesOfValue(value).flatMap(({ file, secondary }) => [file.path, ...secondary.map(({ path }) => path)]);
}

/** Applies conditions one by one, so that the reason names the one after which no file is left. */
function narrow(
  files: readonly IndexedFile[],
  tests: readonly Test[],
  before: readonly Test[],
): { readonly files: readonly IndexedFile[] } | { readonly reason: string } {
  let left = files;
  for (const [at, test] of tests.entries()) {
    const next = left.filter((file) => firstUnmet(file, [test]) === undefined);
    if (next.length === 0) return { reason: noneLeft(left, test, [...before, ...tests.slice(0, at)]) };
    left = next;
  }
  return { files: left };
}

function noneLeft(files: readonly IndexedFile[], test: Test, before: readonly Test[]): string {
  const [first] = files;
  const reasons = new Set(files.map((file) => firstUnmet(file, [test])));
  if (test.field.kind === "table" || (reasons.size === 1 && files.length === 1 && first !== undefined))
    return (first === undefined ? undefined : firstUnmet(first, [test])) ?? "no file";
  const named = [...before.filter(({ field }) => field.kind !== "table"), test].map(({ condition }) => condition);
  return `no file with ${writeConditions(named)}`;
}

function takeFiles(
  column: FileColumn,
  files: readonly IndexedFile[],
  companions: Companions,
): { readonly value: SelectedValue } | Extract<Filled, { readonly reason: string }> {
  const [first, second] = files;
  if (first === undefined) return { value: undefined };
  if (column.kind === "file" && second !== undefined) {
    const detail = `${files.length} files match the column ${column.name}; add a condition such as session=1 (${nameOf(first)}, ${nameOf(second)}${files.length > 2 ? ", …" : ""})`;
    return { reason: detail, isAboutSample: true };
  }
  const taken: SelectedFile[] = [];
  for (const file of files) {
    const secondary: IndexedFile[] = [];
    for (const ending of column.secondary ?? []) {
      const found = companions.nearest(file, ending);
      if (found === undefined) return { reason: `${nameOf(file)} has no ${ending} file`, isAboutSample: true };
      secondary.push(found);
    }
    taken.push({ file, secondary });
  }
  return { value: column.kind === "file" ? taken[0] : taken };
}

function nameOf({ path }: IndexedFile): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Fills columns of sidecars and values. */
function fillRest(columns: Map<string, SelectedValue>, plan: QueryPlan, companions: Companions): Filled | undefined {
  for (const { name, of, extension = ".json", optional } of plan.sidecarColumns) {
    const [owner] = filesOfValue(columns.get(of));
    const found = owner === undefined ? undefined : companions.nearest(owner.file, extension);
    if (found === undefined && optional !== true)
      return {
        reason: owner === undefined ? `${of} has no file` : `${nameOf(owner.file)} has no ${extension} file`,
        isAboutSample: true,
      };
    columns.set(name, found && { file: found, secondary: [] });
  }
  const [main] = plan.fileColumns.flatMap(({ column }) => filesOfValue(columns.get(column.name)));
  for (const { column, field } of plan.valueColumns) {
    const value = main === undefined ? undefined : field.valueOf(main.file);
    if (value === undefined && column.optional !== true)
      return { reason: `${field.name} is missing`, isAboutSample: true };
    columns.set(column.name, value);
  }
  return undefined;
}
