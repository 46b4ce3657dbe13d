import { isFileValue } from "../../../format/value-text.ts";

/**
 * Rows for dropped files: a row whose cell contains only the file's name, else the next row from the drop target on.
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

/** The name in a cell that contains only a file name; undefined for a cell with a location. */
function bareName(value: unknown): string | undefined {
  if (!isFileValue(value) || value.location !== undefined) return undefined;
  return value.path !== undefined && !value.path.includes("/") ? value.path : undefined;
}
