import type { CwlValue, FileValue } from "@weft/cwl/model/cwl-value.ts";
import type { TableSource, UnreadFile } from "@weft/shared/records/table-record.ts";
import { isFileOrDirectory } from "../values/map-files.ts";
import { flattenValue, NO_VALUES, pathKey, type FlatValues } from "./flatten-value.ts";
import { measureKind, readSampleRows, type FilePlaces, type MeasureFiles } from "./measure-files.ts";
import type { RunRows, SampleOfRun } from "./run-rows.ts";

const SHOWN_UNREAD = 20;

export interface Port {
  readonly source: TableSource;
  readonly port: string;
}

/** Reads the values of samples, port by port, and notes the files that have none. */
export class FieldValues {
  readonly #files: MeasureFiles;
  readonly #places: FilePlaces;
  /** The rows of tables about all samples, by run and output. */
  readonly #wholeTables = new Map<string, Promise<ReadonlyMap<string, FlatValues>>>();
  readonly unread: UnreadFile[] = [];
  unreadTotal = 0;

  constructor(files: MeasureFiles, places: FilePlaces) {
    this.#files = files;
    this.#places = places;
  }

  async of(run: RunRows, sample: SampleOfRun, { source, port }: Port): Promise<FlatValues> {
    if (source === "review") return flattenPlain(run.reviewOf(port, sample));
    if (source === "dataset") return flattenPlain(run.datasetOf(port, sample));
    if (source === "input") return flattenPlain(run.inputOf(port, sample));
    const whole = run.whole.get(port);
    if (whole !== undefined) return this.#ofWhole(run, sample, { port, value: whole });
    const value = sample.outputs.get(port);
    return isFile(value) ? this.#ofFile(value, sample, port) : flattenPlain(value);
  }

  async #ofFile(file: FileValue, { sampleId }: SampleOfRun, port: string): Promise<FlatValues> {
    const kind = measureKind(file);
    if (kind === undefined) return flattenPlain(file);
    const measures = await this.#files.ofSample(file, { kind, sampleId, places: this.#places });
    if ("values" in measures) return measures.values;
    this.#note({ port, name: file.basename ?? "", sample_id: sampleId, why: measures.why });
    return NO_VALUES;
  }

  async #ofWhole(
    run: RunRows,
    { sampleId }: SampleOfRun,
    { port, value }: { readonly port: string; readonly value: CwlValue },
  ): Promise<FlatValues> {
    const kind = isFile(value) ? measureKind(value) : undefined;
    if (!isFile(value)) return flattenPlain(value);
    if (kind === undefined || kind === "json" || sampleId === null) return NO_VALUES;
    const key = `${run.runId} ${port}`;
    const rows = this.#wholeTables.get(key) ?? this.#readWhole(run, { port, file: value, kind });
    this.#wholeTables.set(key, rows);
    return (await rows).get(sampleId) ?? NO_VALUES;
  }

  async #readWhole(
    run: RunRows,
    { port, file, kind }: { readonly port: string; readonly file: FileValue; readonly kind: "csv" | "tsv" },
  ): Promise<ReadonlyMap<string, FlatValues>> {
    const samples = new Set(run.rows.flatMap(({ sampleId }) => sampleId ?? []));
    const rows = await readSampleRows(file, kind, { samples, places: this.#places });
    if (typeof rows !== "string") return rows;
    this.#note({ port, name: file.basename ?? "", sample_id: null, why: rows });
    return new Map();
  }

  #note(file: UnreadFile): void {
    this.unreadTotal += 1;
    if (this.unread.length < SHOWN_UNREAD) this.unread.push(file);
  }
}

function isFile(value: CwlValue | undefined): value is FileValue {
  return isFileOrDirectory(value) && value.class === "File";
}

/** Flattens a plain value; a file is represented by its name. */
function flattenPlain(value: CwlValue | undefined): FlatValues {
  if (value === undefined) return NO_VALUES;
  if (isFileOrDirectory(value)) return new Map([[pathKey([]), value.basename ?? null]]);
  return flattenValue(value);
}
