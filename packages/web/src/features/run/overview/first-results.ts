import type { ResultCell, ResultColumn, ResultRow } from "@weft/shared/records/result-record.ts";
import { previewKind, thumbKind } from "../../../components/preview/preview-kind.ts";
import { type FileValue, isFileValue } from "../../../format/value-text.ts";
import type { Missing } from "../partial-outputs.tsx";
import { type ResultPlace, placesOf, rowName } from "../gallery/result-places.ts";

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
