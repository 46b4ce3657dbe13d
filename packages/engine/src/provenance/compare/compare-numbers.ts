import { isNumeric, numberDistance } from "@weft/cwl/values/number-distance.ts";
import { parseExactJson, wholeNumber } from "@weft/shared/json/exact-json.ts";
import type { Tolerance } from "@weft/shared/records/comparison-record.ts";

/** The comparison of two texts within a numeric tolerance; `detail` names the position of a difference. */
export type NumericResult =
  | { readonly isWithin: true; readonly largest: number }
  | { readonly isWithin: false; readonly detail: string };

type Cell = string | number | bigint | boolean | null;

/** The cells of a text, by position. */
type Cells = ReadonlyMap<string, Cell>;

/**
 * Compares tables (CSV, TSV) and JSON cell by cell. The tolerance applies only to fully numeric cells, so that `sub-01`
 * and `sub-02` differ. Undefined if the texts are not of the kind that the name indicates.
 */
export function compareNumbers(
  name: string,
  [a, b]: readonly [string, string],
  tolerance: Tolerance,
): NumericResult | undefined {
  const [left, right] = [readCells(name, a), readCells(name, b)];
  if (left === undefined || right === undefined) return undefined;
  let largest = 0;
  for (const [place, cell] of left) {
    const other = right.get(place);
    if (other === undefined) return { isWithin: false, detail: `${place} is only in the first` };
    if (cell === other) continue;
    if (!isNumeric(cell) || !isNumeric(other) || !isNear(cell, other, tolerance))
      return { isWithin: false, detail: `${place}: ${JSON.stringify(cell)} and ${JSON.stringify(other)}` };
    largest = Math.max(largest, numberDistance(cell, other));
  }
  const extra = [...right.keys()].find((place) => !left.has(place));
  return extra === undefined
    ? { isWithin: true, largest }
    : { isWithin: false, detail: `${extra} is only in the second` };
}

export function isNear(a: number | bigint, b: number | bigint, { relative, absolute }: Tolerance): boolean {
  const larger = Math.max(Math.abs(Number(a)), Math.abs(Number(b)));
  return numberDistance(a, b) <= absolute + relative * larger;
}

function readCells(name: string, text: string): Cells | undefined {
  if (/\.json$/i.test(name)) return readJson(text);
  if (/\.tsv$/i.test(name)) return readTable(text, "\t");
  return /\.csv$/i.test(name) ? readTable(text, ",") : undefined;
}

function readJson(text: string): Cells | undefined {
  const cells = new Map<string, Cell>();
  try {
    addCells(parseExactJson(text), "", cells);
    return cells;
  } catch {
    return undefined;
  }
}

function addCells(value: unknown, place: string, cells: Map<string, Cell>): void {
  if (Array.isArray(value)) {
    cells.set(`${place === "" ? "the list" : place} (entries)`, value.length);
    value.forEach((item, index) => addCells(item, `${place}[${index}]`, cells));
  } else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) addCells(inner, place === "" ? key : `${place}.${key}`, cells);
  else cells.set(place, value as Cell); // other JSON values were handled above, so this is an object
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function readTable(text: string, separator: string): Cells {
  const cells = new Map<string, Cell>();
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  lines.forEach((line, row) =>
    splitLine(line, separator).forEach((cell, column) => {
      const plain = cell.trim();
      cells.set(`line ${row + 1}, column ${column + 1}`, NUMBER.test(plain) ? numberOf(plain) : cell);
    }),
  );
  return cells;
}

function numberOf(text: string): number | bigint {
  return /^[+-]?\d+$/.test(text) ? wholeNumber(text) : Number(text);
}

/** Quoted separators do not separate. */
function splitLine(line: string, separator: string): readonly string[] {
  const cells: string[] = [""];
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    if (sign === separator && !isQuoted) cells.push("");
    else cells.push(`${cells.pop() ?? ""}${sign}`);
  }
  return cells;
}
