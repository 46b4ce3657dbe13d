/**
 * The outputs of a run as rows: those of the run as a whole first, then one row per sample. Laid out once from portable
 * values, and shown a page at a time; only the rows of a page are presented.
 */
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isArray } from "@weft/cwl/values/value-kind.ts";
import type { Links } from "@weft/shared/links.ts";
import {
  MAX_CELL_ENTRIES,
  type ResultCell,
  type ResultColumn,
  type ResultRow,
} from "@weft/shared/records/result-record.ts";
import { isFileOrDirectory } from "../values/map-files.ts";
import { presentPortable } from "./present-values.ts";

export interface ResultOutput {
  readonly id: string;
  readonly label?: string | undefined;
  /** Samples by position, for an output with one element per job of a scattered step. */
  readonly samples?: ReadonlyMap<number, string> | undefined;
}

export interface ResultSource {
  /** The outputs with portable locations. */
  readonly outputs: CwlObject;
  /** The outputs in the order of the document, followed by other outputs. */
  readonly declared: readonly ResultOutput[];
  /** Values that a partial run lacks. */
  readonly missing?: readonly MissingCell[];
}

export interface MissingCell {
  readonly output: string;
  readonly index: readonly number[];
  readonly sampleId: string | null;
  readonly why: NonNullable<ResultCell["missing"]>;
}

interface LaidCell {
  readonly output: string;
  readonly index?: number;
  readonly value: CwlValue;
  readonly missing?: ResultCell["missing"];
}

interface LaidRow {
  readonly sampleId: string | null;
  readonly index: number | null;
  readonly cells: LaidCell[];
}

type LaidColumn = Omit<ResultColumn, "rows">;

export interface ResultLayout {
  readonly columns: readonly LaidColumn[];
  readonly rows: readonly LaidRow[];
}

export function layOutResults({ outputs, declared, missing = [] }: ResultSource): ResultLayout {
  const known = new Set(declared.map(({ id }) => id));
  const others = Object.keys(outputs).filter((id) => !known.has(id));
  const lacks = new Map(missing.map((cell) => [keyOf(cell.output, cell.index), cell]));
  const columns: LaidColumn[] = [];
  const ofRun: LaidRow[] = [];
  const samples = new SampleRows();
  for (const { id, label, samples: names } of [...declared, ...others.map((id): ResultOutput => ({ id }))]) {
    const value = outputs[id] ?? null;
    const elements = names !== undefined && isArray(value) ? { elements: value, names, lacks } : undefined;
    columns.push({
      output: id,
      ...(label === undefined ? {} : { label }),
      by: elements === undefined ? "run" : "sample",
    });
    if (elements === undefined) ofRun.push(...rowsOfRun(id, value, lacks.get(keyOf(id, []))?.why));
    else samples.add(id, elements);
  }
  return { columns, rows: [...ofRun, ...samples.rows] };
}

interface Elements {
  readonly elements: readonly CwlValue[];
  readonly names: ReadonlyMap<number, string>;
  readonly lacks: ReadonlyMap<string, MissingCell>;
}

/** Outputs of one sample share a row, even if their lists have different orders. */
class SampleRows {
  readonly rows: LaidRow[] = [];
  readonly #byKey = new Map<string, LaidRow>();

  add(output: string, { elements, names, lacks }: Elements): void {
    const seen = new Map<string, number>();
    const own = new Set<string | null>(names.values());
    for (const [index, value] of elements.entries()) {
      const lack = lacks.get(keyOf(output, [index]));
      const sampleId = names.get(index) ?? lack?.sampleId ?? (value === null ? this.#sampleAt(index, own) : null);
      const cell = { output, index, value, ...(value === null && lack !== undefined ? { missing: lack.why } : {}) };
      // A list may have a sample more than once.
      const times = sampleId === null ? 0 : (seen.get(sampleId) ?? 0);
      if (sampleId !== null) seen.set(sampleId, times + 1);
      this.#row(sampleId === null ? `#${index}` : `${times} ${sampleId}`, sampleId, index).cells.push(cell);
    }
  }

  /** The sample of an element without a job: that of the same element of an earlier list, if this one does not have it. */
  #sampleAt(index: number, own: ReadonlySet<string | null>): string | null {
    const row = this.rows[index];
    return own.size === 0 || row?.index !== index || own.has(row.sampleId) ? null : row.sampleId;
  }

  #row(key: string, sampleId: string | null, index: number): LaidRow {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const row: LaidRow = { sampleId, index, cells: [] };
    this.#byKey.set(key, row);
    this.rows.push(row);
    return row;
  }
}

/** A list of files has a row for each of them. */
function rowsOfRun(output: string, value: CwlValue, missing: ResultCell["missing"]): LaidRow[] {
  if (isArray(value) && value.length > 0 && value.every((item) => isFileOrDirectory(item)))
    return value.map((item, index) => ({ sampleId: null, index, cells: [{ output, index, value: item }] }));
  const cell = { output, value, ...(value === null && missing !== undefined ? { missing } : {}) };
  return [{ sampleId: null, index: null, cells: [cell] }];
}

function keyOf(output: string, index: readonly number[]): string {
  return `${index.join(",")} ${output}`;
}

export interface ResultPage {
  readonly columns: ResultColumn[];
  readonly rows: ResultRow[];
  readonly total: number;
}

export interface WantedRows {
  readonly from: number;
  readonly size: number;
  /** Part of the sample or of the name of a file; empty: all rows. */
  readonly text: string;
}

/** Rows that fit, from the number `from` on. */
export function pageOfResults(layout: ResultLayout, { from, size, text }: WantedRows, links: Links): ResultPage {
  const query = text.toLowerCase();
  const rows = query === "" ? layout.rows : layout.rows.filter((row) => fits(row, query));
  const counts = new Map<string, number>();
  for (const { cells } of rows) for (const { output } of cells) counts.set(output, (counts.get(output) ?? 0) + 1);
  return {
    columns: layout.columns.map((column) => ({ ...column, rows: counts.get(column.output) ?? 0 })),
    rows: rows.slice(from, from + size).map((row) => presentRow(row, links)),
    total: rows.length,
  };
}

/** A row without a name matches by its number, as the page shows it. */
function fits({ sampleId, index, cells }: LaidRow, query: string): boolean {
  const name = sampleId ?? (index === null ? "" : `#${index + 1}`);
  return name.toLowerCase().includes(query) || cells.some(({ value }) => hasName(value, query));
}

function hasName(value: CwlValue, query: string): boolean {
  if (isArray(value)) return value.slice(0, MAX_CELL_ENTRIES).some((item) => hasName(item, query));
  return isFileOrDirectory(value) && (value.basename ?? "").toLowerCase().includes(query);
}

function presentRow({ sampleId, index, cells }: LaidRow, links: Links): ResultRow {
  return { sample_id: sampleId, index, cells: cells.map((cell) => presentCell(cell, links)) };
}

function presentCell({ output, index, value, missing }: LaidCell, links: Links): ResultCell {
  const cutter = new Cutter();
  const shown = cutter.cut(value);
  return {
    output,
    ...(index === undefined ? {} : { index }),
    value: presentPortable({ value: shown }, links)["value"],
    ...(cutter.hasCut ? { cut: true } : {}),
    ...(missing === undefined ? {} : { missing }),
  };
}

const MAX_TEXT = 4_000;

/** Keeps the first entries of a value, counted over all its depths. */
class Cutter {
  hasCut = false;
  #left = MAX_CELL_ENTRIES;

  cut(value: CwlValue): CwlValue {
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return value;
    if (isArray(value)) return this.#entries(value, (item) => this.cut(item));
    const isFile = isFileOrDirectory(value);
    const fields = Object.entries(value as CwlObject); // the last member of the union
    // Addresses must not be shortened.
    const keep = ([name, field = null]: [string, CwlValue | undefined]): [string, CwlValue] =>
      isFile && name !== "contents" && typeof field === "string" ? [name, field] : [name, this.cut(field)];
    return Object.fromEntries(this.#entries(fields, keep, isFile ? FILE_FIELDS : 0));
  }

  /** `free`: number of entries that do not count, such as the fields of a file. */
  #entries<Item, Kept>(items: readonly Item[], keep: (item: Item) => Kept, free = 0): Kept[] {
    const kept: Kept[] = [];
    for (const [place, item] of items.entries()) {
      if (place >= free && this.#left <= 0) {
        this.hasCut = true;
        break;
      }
      if (place >= free) this.#left--;
      kept.push(keep(item));
    }
    return kept;
  }

  #text(value: string): string {
    if (value.length <= MAX_TEXT) return value;
    this.hasCut = true;
    return value.slice(0, MAX_TEXT);
  }
}

/** Maximum number of fields of a File. */
const FILE_FIELDS = 16;
