import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { type Separator, parseDelimited } from "@weft/shared/text/parse-delimited.ts";
import { distance } from "fastest-levenshtein";
import { type FileValue, fileName, isFileValue } from "../../../format/value-text.ts";
import { checkValue, parseNumber } from "../model/check-value.ts";
import { acceptsNull, choicesOf } from "../model/cwl-type-facts.ts";
import { asFormat, fileFromText, namedFormats } from "../model/file-format.ts";
import { columnInputs, entryType } from "./scattered-inputs.ts";

/** For each column, the id of the input that it fills, "" for none; and the column with the sample names. */
export interface SheetMapping {
  readonly inputs: readonly string[];
  readonly nameColumn: number | undefined;
}

export interface CellProblem {
  readonly row: number;
  readonly column: string;
  readonly message: string;
}

/** Values and problems of a mapped sheet. */
interface SheetTarget {
  readonly inputs: readonly InputRecord[];
  /** Files already in the form, by name. */
  readonly files?: ReadonlyMap<string, FileValue>;
}

interface MappedSheet {
  /** Input id → one value per sample. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  /** Sample names in list order; undefined without a name column. */
  readonly samples: readonly string[] | undefined;
  readonly problems: readonly CellProblem[];
}

const NAME_WORDS: ReadonlySet<string> = new Set(["sample", "sample_id", "subject", "subject_id", "id", "name"]);

const SEPARATORS = ["\t", ";", ","] as const;

export const MAX_SAMPLES = 10_000;

/**
 * Matches columns to inputs by id or label, first exactly, then by similarity; a column named like a sample sets the
 * sample names.
 */
export function guessMapping({ columns }: Pick<SampleSheet, "columns">, inputs: readonly InputRecord[]): SheetMapping {
  const same = sameNames(columns, inputs);
  const named = columns.findIndex((column) => NAME_WORDS.has(column.toLowerCase()));
  const nameColumn = named < 0 ? undefined : named;
  return { inputs: withSimilarNames(columns, { inputs: same, nameColumn }, inputs), nameColumn };
}

/** The id of the input whose name each column has, in singular or plural; "" for none. */
export function sameNames(columns: readonly string[], inputs: readonly InputRecord[]): readonly string[] {
  const byName = new Map(
    columnInputs(inputs).flatMap(({ id, label }) => [id, label ?? id].map((name) => [plain(name), id] as const)),
  );
  const taken = new Set<string>();
  const exact = new Set(columns.map(plain));
  return columns.map((column) => {
    // `subject` fills `subjects`, unless a column has exactly that name.
    const [name, other] = [plain(column), otherNumber(plain(column))];
    const id = byName.get(name) ?? (exact.has(other) ? undefined : byName.get(other)) ?? "";
    if (taken.has(id)) return "";
    taken.add(id);
    return id;
  });
}

/** The minimum similarity of a match. */
const SIMILAR = 0.75;

/** Matches the remaining inputs with the remaining columns, most similar first. */
function withSimilarNames(
  columns: readonly string[],
  { inputs: mapped, nameColumn }: SheetMapping,
  inputs: readonly InputRecord[],
): readonly string[] {
  const pairs = columns
    .flatMap((column, place) =>
      mapped[place] !== "" || place === nameColumn
        ? []
        : columnInputs(inputs).map(({ id, label }) => ({
            place,
            id,
            likeness: Math.max(likeness(column, id), likeness(column, label ?? id)),
          })),
    )
    .filter(({ likeness }) => likeness >= SIMILAR)
    .toSorted((a, b) => b.likeness - a.likeness);
  const next = [...mapped];
  for (const { place, id } of pairs) if (next[place] === "" && !next.includes(id)) next[place] = id;
  return next;
}

const FILLERS: ReadonlySet<string> = new Set(["file", "path", "list", "input", "column", "value"]);

/**
 * The similarity of two names from 0 to 1. Ignores words that do not describe the content: `image_path` is as good as
 * `image`.
 */
function likeness(a: string, b: string): number {
  const [left, right] = [coreName(a), coreName(b)];
  const longer = Math.max(left.length, right.length);
  return longer === 0 ? 0 : 1 - distance(left, right) / longer;
}

function coreName(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => (word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word));
  return words.filter((word) => !FILLERS.has(word)).join("");
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, "");
}

/** The plural of a singular, and the singular of a plural. */
function otherNumber(name: string): string {
  return name.endsWith("s") ? name.slice(0, -1) : `${name}s`;
}

/** Files already in the form, by name; excludes ambiguous names. */
export function filesByName(values: Readonly<Record<string, unknown>>): ReadonlyMap<string, FileValue> {
  const groups = Map.groupBy(filesIn(values), fileName);
  return new Map(
    [...groups].flatMap(([name, [file, second]]) =>
      file === undefined || second !== undefined ? [] : [[name, file] as const],
    ),
  );
}

/** The files of single values and of lists. */
export function filesIn(values: Readonly<Record<string, unknown>>): readonly FileValue[] {
  return Object.values(values).flat().filter(isFileValue);
}

/**
 * The values of the sheet by input, and all problems by row and column. A cell may contain the name of one of `files`.
 */
export function mapSheet(
  sheet: SampleSheet,
  mapping: SheetMapping,
  { inputs, files = NO_FILES }: SheetTarget,
): MappedSheet {
  const problems: CellProblem[] = [];
  const { nameColumn } = mapping;
  const names = nameColumn === undefined ? undefined : sheet.rows.map(({ cells }) => cells[nameColumn] ?? "");
  if (names !== undefined) problems.push(...checkNames(sheet, names, sheet.columns[nameColumn ?? 0] ?? ""));
  const lists: Record<string, readonly unknown[]> = {};
  for (const [place, id] of mapping.inputs.entries()) {
    const input = inputs.find((candidate) => candidate.id === id);
    const items = entryType(input?.type ?? { kind: "null" });
    if (items === undefined) continue;
    const formats = namedFormats(input?.format);
    const values = sheet.rows.map(({ cells }) => {
      const cell = cells[place] ?? "";
      const known = choicesOf(items)[0]?.kind === "File" ? files.get(cell) : undefined;
      const value = known ?? cellValue(items, cell);
      return isFileValue(value) ? asFormat(value, formats) : value;
    });
    values.forEach((value, row) => {
      const fault = checkValue(items, value, [])[0];
      if (fault !== undefined)
        problems.push({
          row: sheet.rows[row]?.number ?? 0,
          column: sheet.columns[place] ?? "",
          message: fault.message,
        });
    });
    lists[id] = values;
  }
  return { lists, samples: names, problems: problems.toSorted((a, b) => a.row - b.row) };
}

const NO_FILES: ReadonlyMap<string, FileValue> = new Map();

function checkNames(sheet: SampleSheet, names: readonly string[], column: string): readonly CellProblem[] {
  return sheet.rows.flatMap(({ number }, place) => {
    const name = names[place] ?? "";
    if (name === "") return [{ row: number, column, message: "The sample has no name" }];
    const before = names.indexOf(name);
    if (before === place) return [];
    const message = `Duplicate sample name "${name}" (also in row ${sheet.rows[before]?.number ?? 0})`;
    return [{ row: number, column, message }];
  });
}

/** An empty cell has no value. Text that does not match the type is kept, so that the error message can quote it. */
export function cellValue(items: CwlTypeRecord, cell: string): unknown {
  const [type] = choicesOf(items);
  if (cell === "") return type?.kind === "string" && !acceptsNull(items) ? "" : null;
  switch (type?.kind) {
    case "int":
    case "long":
    case "float":
    case "double":
      return parseNumber(cell);
    case "boolean":
      return BOOLEANS.get(cell.toLowerCase()) ?? cell;
    case "File":
    case "Directory":
      return fileFromText(type.kind, cell);
    default:
      return cell;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
]);

/** A table of samples as text: one column per input, one row per sample. */
export interface SampleSheet {
  readonly columns: readonly string[];
  readonly rows: readonly SheetRow[];
}

interface SheetRow {
  /** Row number as in a spreadsheet, where the header is row 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

type SheetReading = { readonly sheet: SampleSheet } | { readonly fault: string };

/** Parses CSV or TSV with a header row, which determines the separator. */
export function readSheet(source: string): SheetReading {
  const text = source.replace(/^\uFEFF/, "");
  const separator = separatorOf(text.slice(0, text.search(/[\r\n]|$/)));
  const [head = [], ...body] = parseDelimited(text, separator, MAX_SAMPLES + 2);
  const columns = head.map((cell) => cell.trim());
  const rows = body
    .map((cells, place): SheetRow => ({ number: place + 2, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const fault = faultOf(columns, rows);
  return fault === undefined ? { sheet: { columns, rows } } : { fault };
}

function separatorOf(firstLine: string): Separator {
  return SEPARATORS.find((candidate) => firstLine.includes(candidate)) ?? ",";
}

function faultOf(columns: readonly string[], rows: readonly SheetRow[]): string | undefined {
  const unnamed = columns.indexOf("");
  if (columns.every((name) => name === "")) return "The first row must contain column names.";
  if (unnamed >= 0) return `Column ${unnamed + 1} has no name in the first row.`;
  const twice = columns.find((name, place) => columns.indexOf(name) !== place);
  if (twice !== undefined) return `Duplicate column name "${twice}".`;
  if (rows.length === 0) return "The sheet has a header row but no data.";
  if (rows.length > MAX_SAMPLES) return `The sheet has more than ${MAX_SAMPLES} rows.`;
  const odd = rows.find(({ cells }) => cells.length !== columns.length);
  return odd && `Row ${odd.number} has ${odd.cells.length} cells; expected ${columns.length}.`;
}
