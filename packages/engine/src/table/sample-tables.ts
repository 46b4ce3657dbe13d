import {
  MAX_TABLE_FIELDS,
  MAX_TABLE_ROWS,
  type TableFields,
  type TableFormat,
} from "@weft/shared/records/table-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/caller.ts";
import { Recent } from "../async/recent.ts";
import type { Reading } from "../read/reading.ts";
import { buildTable, discoverFields, type BuiltTable } from "./build-table.ts";
import { parseFieldId, type FieldPlace } from "./field-id.ts";
import { FieldValues } from "./field-values.ts";
import { MeasureFiles } from "./measure-files.ts";
import { rowsOfRun, type RunRows } from "./run-rows.ts";
import type { RunLayouts } from "./run-layouts.ts";
import { writeDelimited } from "./write-delimited.ts";
import { writeParquet } from "./write-parquet.ts";

/** The maximum number of values: tables of some millions of values take hundreds of megabytes. */
const MAX_VALUES = 2_000_000;
const MAX_TABLES = 2;

/** Query about the samples of some runs. `fields` undefined: the first ones. */
export type TableQuestion =
  | { readonly what: "fields" }
  | {
      readonly what: "page";
      readonly fields?: readonly string[] | undefined;
      readonly from: number;
      readonly size: number;
    }
  | { readonly what: "export"; readonly fields?: readonly string[] | undefined; readonly format: TableFormat };

/** Builds tables of samples in a thread, and keeps the last ones for their other pages. */
export class SampleTables {
  readonly #context: Reading;
  readonly #layouts: RunLayouts;
  readonly #files = new MeasureFiles();
  readonly #tables = new Recent<Promise<BuiltTable>>(MAX_TABLES);

  constructor(context: Reading, layouts: RunLayouts) {
    this.#context = context;
    this.#layouts = layouts;
  }

  /** The answer as UTF-8, or a file. */
  async answer(caller: Caller, runIds: readonly string[], question: TableQuestion): Promise<Uint8Array<ArrayBuffer>> {
    const encoder = new TextEncoder();
    const rows = runIds.map((runId) => requireVisibleRun(this.#context.read, runId, caller));
    if (question.what === "fields") return encoder.encode(JSON.stringify(await this.#fields(caller, rows)));
    const key = JSON.stringify([
      caller.principal,
      rows.map(({ runId, revision }) => [runId, revision]),
      question.fields,
    ]);
    const building = this.#tables.get(key) ?? this.#tables.set(key, this.#build(caller, rows, question.fields));
    building.catch(() => this.#tables.forget(key));
    const table = await building;
    if (question.what === "page") return encoder.encode(JSON.stringify(pageOf(table, question)));
    return question.format === "parquet" ? writeParquet(table) : encoder.encode(writeDelimited(table, question.format));
  }

  async #fields(caller: Caller, rows: readonly RunRow[]): Promise<TableFields> {
    return discoverFields(await this.#runs(rows), this.#values(caller));
  }

  async #build(caller: Caller, sources: readonly RunRow[], ids: readonly string[] | undefined): Promise<BuiltTable> {
    const runs = await this.#runs(sources);
    const selected = ids ?? (await this.#fields(caller, sources)).fields.slice(0, MAX_TABLE_FIELDS).map(({ id }) => id);
    const rows = runs.reduce((sum, run) => sum + run.rows.length, 0);
    if (rows * selected.length > MAX_VALUES)
      throw new Refusal(
        "invalid-parameters",
        `The table would have ${rows} rows and ${selected.length} fields; at most ${MAX_VALUES} values fit. Choose fewer fields.`,
      );
    return buildTable(runs, selected.map(placeOf), this.#values(caller));
  }

  async #runs(sources: readonly RunRow[]): Promise<readonly RunRows[]> {
    const { read } = this.#context;
    const runs = await Promise.all(sources.map(async (row) => rowsOfRun(row, await this.#layouts.of(row), read)));
    const rows = runs.reduce((sum, run) => sum + run.rows.length, 0);
    if (rows <= MAX_TABLE_ROWS) return runs;
    throw new Refusal(
      "invalid-parameters",
      `The runs have ${rows} samples; a table shows up to ${MAX_TABLE_ROWS}. Choose fewer runs.`,
    );
  }

  #values(caller: Caller): FieldValues {
    const { roots, access } = this.#context;
    return new FieldValues(this.#files, { roots, reach: access.ofCaller(caller).reach });
  }
}

function placeOf(id: string): FieldPlace {
  const place = parseFieldId(id);
  if (place !== undefined) return place;
  throw new Refusal(
    "invalid-parameters",
    `"${id}" is not the ID of a field. IDs look like output.measures/volume_ml; the list of fields has them.`,
  );
}

function pageOf({ rows, ...table }: BuiltTable, { from, size }: { readonly from: number; readonly size: number }) {
  return { ...table, rows: rows.slice(from, from + size), from, total: rows.length };
}
