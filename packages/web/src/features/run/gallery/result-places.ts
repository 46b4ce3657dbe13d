import type { ResultCell, ResultColumn, ResultRow } from "@weft/shared/records/result-record.ts";
import { previewKind, thumbKind } from "../../../components/preview/preview-kind.ts";
import { isFileValue, type FileValue } from "../../../format/value-text.ts";
import type { Missing } from "../partial-outputs.tsx";

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

/** Form in which the overview shows an output. */
type Look = "table" | "pictures" | "report" | "values" | "files";

interface FirstResult {
  readonly place: ResultPlace;
  /** Sample or number; undefined for the only result of an output. */
  readonly name: string | undefined;
  readonly value: unknown;
}

/** An output with its results in the first rows. */
export interface OutputSummary {
  readonly output: string;
  readonly label: string;
  readonly look: Look;
  readonly isBySample: boolean;
  /** Number of results of the whole run. */
  readonly count: number;
  readonly first: readonly FirstResult[];
  /** Results in the first rows that a failed run lacks. */
  readonly missing: readonly Missing[];
  /** Size of all files; undefined if it is not known. */
  readonly bytes: number | undefined;
}

/** More outputs are only in the tab of results. */
export const MAX_OUTPUTS = 24;
/** The maximum size of a report that a browser shows quickly. */
const MAX_REPORT_BYTES = 2 * 1024 ** 2;
const IN_FULL: readonly Look[] = ["table", "pictures", "report"];
const ORDER: readonly Look[] = ["table", "pictures", "report", "values", "files"];

/** Numbers of the rows with the first result of each output. */
export function firstRows(columns: readonly ResultColumn[], total: number): readonly number[] {
  const { items, outputs, firstSample } = placesOf(columns, total);
  const own = items.filter(({ count }) => count > 0).map(({ from }) => from);
  return (outputs.length > 0 ? [...own, firstSample] : own).slice(0, MAX_OUTPUTS);
}

/** The outputs in the order of the overview; `rowAt` knows some of the rows. */
export function summarizeOutputs(
  columns: readonly ResultColumn[],
  total: number,
  rowAt: (number: number) => ResultRow | undefined,
): readonly OutputSummary[] {
  const { items, firstSample, sampleCount } = placesOf(columns, total);
  const summaries = columns.slice(0, MAX_OUTPUTS).map((column) => {
    const item = items.find(({ output }) => output === column.output);
    const [from, count] = item === undefined ? [firstSample, sampleCount] : [item.from, item.count];
    return summarize(column, { from, count }, rowAt);
  });
  return ORDER.flatMap((look) => limited(summaries).filter((summary) => summary.look === look));
}

function summarize(
  { output, label = output, by }: ResultColumn,
  { from, count }: { readonly from: number; readonly count: number },
  rowAt: (number: number) => ResultRow | undefined,
): OutputSummary {
  const found: { readonly row: ResultRow; readonly cell: ResultCell; readonly number: number }[] = [];
  for (let number = from; number < from + count; number += 1) {
    const row = rowAt(number);
    if (row === undefined) break;
    const cell = row.cells.find((one) => one.output === output);
    if (cell !== undefined) found.push({ row, cell, number });
  }
  const first = found
    .filter(({ cell }) => cell.missing === undefined)
    .map(({ row, cell, number }) => ({ place: { row: number, output }, name: rowName(row), value: cell.value }));
  const files = first.flatMap(({ value }) => (isFileValue(value) ? [value] : []));
  return {
    ...{ output, label, count, first, isBySample: by === "sample" },
    look: files.length > 0 ? lookOf(files[0], count) : first.some(({ value }) => value !== null) ? "values" : "files",
    missing: found.flatMap(({ row: { sample_id }, cell: { index, missing } }) =>
      missing === undefined ? [] : [{ ...missing, sample_id, index: index === undefined ? [] : [index] }],
    ),
    bytes: found.length === count && files.length > 0 ? bytesOf(files) : undefined,
  };
}

function lookOf(file: FileValue | undefined, count: number): Look {
  const name = file?.basename ?? "";
  const kind = previewKind(name);
  if (["image", "nifti", "pdf"].includes(thumbKind(name, file?.size))) return "pictures";
  if (count > 1 || file?.size === 0) return "files";
  if (kind === "csv" || kind === "tsv") return "table";
  return kind === "page" && (file?.size ?? 0) <= MAX_REPORT_BYTES ? "report" : "files";
}

function bytesOf(files: readonly FileValue[]): number | undefined {
  return files.some(({ size }) => size === undefined) ? undefined : files.reduce((sum, { size = 0 }) => sum + size, 0);
}

/** Shows one table, the pictures of one output and one report; other outputs appear as files. */
function limited(summaries: readonly OutputSummary[]): readonly OutputSummary[] {
  const ranked = summaries.toSorted((one, other) => rankOf(one) - rankOf(other));
  const best = new Set(IN_FULL.map((wanted) => ranked.find(({ look }) => look === wanted)));
  return summaries.map((summary) =>
    best.has(summary) || !IN_FULL.includes(summary.look) ? summary : { ...summary, look: "files" as const },
  );
}

/** Pictures in common formats come before volumes and documents. */
function rankOf({ look, first: [first] }: OutputSummary): number {
  if (look !== "pictures" || !isFileValue(first?.value)) return 0;
  return ["image", "nifti", "pdf"].indexOf(previewKind(first.value.basename ?? ""));
}
