/** Determines where a binding appears on the command line: positions, list indexes and names, outermost first. */
export type SortKey = readonly (number | string)[];

const UTF8 = new TextEncoder();

/**
 * Compares two keys element by element: numbers before strings, strings by their UTF-8 bytes, a shorter key first.
 * CWL v1.2 CommandLineTool.html#Input_binding.
 */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const order = compareElements(a[index] ?? 0, b[index] ?? 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareElements(a: number | string, b: number | string): number {
  if (typeof a === "number") return typeof b === "number" ? a - b : -1;
  return typeof b === "number" ? 1 : compareUtf8(a, b);
}

function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const left = UTF8.encode(a);
  const right = UTF8.encode(b);
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const order = (left[index] ?? 0) - (right[index] ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
