import { isFileValue } from "../../../format/value-text.ts";

/**
 * The rows that files with these names go to, dropped on a row: a row whose cell names the file so far without saying
 * where it is; else the next row from there on.
 */
export function placeFiles(list: readonly unknown[], names: readonly string[], from: number): readonly number[] {
  const wanted = new Map<string, number>();
  list.forEach((value, row) => {
    const name = bareName(value);
    if (name !== undefined && !wanted.has(name)) wanted.set(name, row);
  });
  const matched = names.map((name) => wanted.get(name));
  const taken = new Set(matched);
  let next = from;
  return matched.map((row) => {
    if (row !== undefined) return row;
    while (taken.has(next)) next += 1;
    next += 1;
    return next - 1;
  });
}

/** `sub-01.nii` of a cell in which somebody wrote only that; undefined for a file that can be found. */
function bareName(value: unknown): string | undefined {
  if (!isFileValue(value) || value.location !== undefined) return undefined;
  return value.path !== undefined && !value.path.includes("/") ? value.path : undefined;
}
