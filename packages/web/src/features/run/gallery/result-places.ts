import type { ResultColumn, ResultRow } from "@weft/shared/records/result-record.ts";

/** Position of a result: a row number of the API, and an output. */
export interface ResultPlace {
  readonly row: number;
  readonly output: string;
}

/** The content of the gallery: items of the whole run, then samples with their outputs. */
export interface ResultPlaces {
  readonly items: readonly ResultRange[];
  readonly itemCount: number;
  /** Outputs that every sample may have, in order. */
  readonly outputs: readonly string[];
  readonly firstSample: number;
  readonly sampleCount: number;
}

/** Consecutive rows with one output. */
interface ResultRange {
  readonly output: string;
  readonly from: number;
  readonly count: number;
}

/** `shown`: the only output to show; "": all. */
export function placesOf(columns: readonly ResultColumn[], total: number, shown = ""): ResultPlaces {
  const items: ResultRange[] = [];
  let from = 0;
  for (const { output, by, rows } of columns) {
    if (by !== "run") continue;
    if (shown === "" || shown === output) items.push({ output, from, count: rows });
    from += rows;
  }
  const outputs = columns.filter(({ by, output }) => by === "sample" && (shown === "" || shown === output));
  return {
    items,
    itemCount: items.reduce((sum, { count }) => sum + count, 0),
    outputs: outputs.map(({ output }) => output),
    firstSample: from,
    sampleCount: outputs.length === 0 ? 0 : Math.max(0, total - from),
  };
}

export function itemPlace({ items }: ResultPlaces, number: number): ResultPlace | undefined {
  let left = number;
  for (const { output, from, count } of items) {
    if (left < count) return left < 0 ? undefined : { output, row: from + left };
    left -= count;
  }
  return undefined;
}

/** The index of an item; undefined for a result of a sample, and for one that is not shown. */
export function itemNumber({ items }: ResultPlaces, { row, output }: ResultPlace): number | undefined {
  let before = 0;
  for (const item of items) {
    if (item.output === output && row >= item.from && row < item.from + item.count) return before + row - item.from;
    before += item.count;
  }
  return undefined;
}

export type Move = "left" | "right" | "up" | "down";

/**
 * The next result in a direction: up and down between samples, left and right between outputs. With only one output,
 * all arrows move between samples. Items of the whole run form a sequence. Returns its argument at an end.
 */
export function moveFrom(places: ResultPlaces, place: ResultPlace, move: Move): ResultPlace {
  const step = move === "left" || move === "up" ? -1 : 1;
  const item = itemNumber(places, place);
  if (item !== undefined) return itemPlace(places, item + step) ?? place;
  const { outputs, firstSample, sampleCount } = places;
  const column = outputs.indexOf(place.output);
  if (outputs.length > 1 && (move === "left" || move === "right"))
    return { ...place, output: outputs[column + step] ?? place.output };
  const row = place.row + step;
  return row < firstSample || row >= firstSample + sampleCount ? place : { ...place, row };
}

/** The form in the URL: `12.masks`. */
export function placeText({ row, output }: ResultPlace): string {
  return `${row}.${output}`;
}

/** Parses a place; undefined for invalid text, or a position that is not in `places`. */
export function parsePlace(text: string, places: ResultPlaces): ResultPlace | undefined {
  const [, digits = "", output = ""] = /^(\d{1,9})\.(.+)$/s.exec(text) ?? [];
  if (digits === "") return undefined;
  const place = { row: Number(digits), output };
  const { firstSample, sampleCount, outputs } = places;
  const isOfSample = outputs.includes(output) && place.row >= firstSample && place.row < firstSample + sampleCount;
  return isOfSample || itemNumber(places, place) !== undefined ? place : undefined;
}

/** Name of an output for people. */
export function outputLabel(columns: readonly ResultColumn[], output: string): string {
  return columns.find((column) => column.output === output)?.label ?? output;
}

/** Name of the row: its sample, or its number in a list. */
export function rowName(row: Pick<ResultRow, "sample_id" | "index"> | undefined): string | undefined {
  if (row === undefined) return undefined;
  return row.sample_id ?? (row.index === null ? undefined : `#${row.index + 1}`);
}
