import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isArray } from "@weft/cwl/values/value-kind.ts";
import type { QueryResult } from "@weft/shared/records/dataset-record.ts";
import { type TableSource, MAX_TABLE_ROWS } from "@weft/shared/records/table-record.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import { valuesToShow } from "../present/present-values.ts";
import type { ResultLayout } from "../present/result-rows.ts";
import type { RunLayout } from "./run-layouts.ts";

export interface SampleOfRun {
  readonly runId: string;
  readonly sampleId: string | null;
  readonly index: number | null;
  /** The outputs with portable locations. */
  readonly outputs: ReadonlyMap<string, CwlValue>;
}

export interface RunRows {
  readonly runId: string;
  readonly name: string;
  readonly rows: readonly SampleOfRun[];
  readonly ports: readonly { readonly source: TableSource; readonly port: string }[];
  /** An input of a sample: its element of the list, or the value that all samples share. */
  readonly inputOf: (port: string, sample: SampleOfRun) => CwlValue | undefined;
  /** The dataset's facts about a sample at the time of the run's query. */
  readonly datasetOf: (field: string, sample: SampleOfRun) => CwlValue | undefined;
  /** The last review of a sample, as a record. */
  readonly reviewOf: (port: string, sample: SampleOfRun) => CwlValue | undefined;
  /** Outputs of the run as a whole. */
  readonly whole: ReadonlyMap<string, CwlValue>;
}

/** The samples of a run with their inputs and outputs. */
export function rowsOfRun(
  row: RunRow,
  { layout, defaults }: Pick<RunLayout, "layout" | "defaults">,
  read: Pick<LogReader, "blobToShow" | "elementSamples" | "sampleFields" | "creation">,
): RunRows {
  const inputs = withDefaults(valuesToShow(read.blobToShow(row.inputs)), defaults);
  const rows = samplesOf(row, layout);
  const described = datasetFields(row, read);
  const reviews = read.sampleFields(row.runId, MAX_TABLE_ROWS);
  return {
    runId: row.runId,
    name: row.name,
    rows: withAllSamples(row, rows),
    ports: [
      ...Object.keys(inputs).map((port) => ({ source: "input" as const, port })),
      ...described.names.map((port) => ({ source: "dataset" as const, port })),
      ...layout.columns.map(({ output }) => ({ source: "output" as const, port: output })),
      ...(reviews.size === 0 ? [] : REVIEW_FIELDS).map((port) => ({ source: "review" as const, port })),
    ],
    inputOf: inputLookup(inputs, row.samples),
    datasetOf: (field, { sampleId }) => described.bySample.get(sampleId ?? "")?.get(field),
    reviewOf: (port, { sampleId }) => reviews.get(sampleId ?? "")?.get(port),
    whole: wholeOutputs(layout),
  };
}

type FieldsOfSample = ReadonlyMap<string, string | number>;

/** The fields of the samples that the query of the run found. */
function datasetFields(
  { runId }: RunRow,
  read: Pick<LogReader, "blobToShow" | "creation">,
): { readonly names: readonly string[]; readonly bySample: ReadonlyMap<string, FieldsOfSample> } {
  const { dataset } = read.creation(runId);
  if (dataset === undefined) return { names: [], bySample: new Map() };
  // The service of datasets wrote it; a damaged log has an empty object.
  const { samples = [] } = JSON.parse(read.blobToShow(dataset.result)) as Partial<QueryResult>;
  const bySample = new Map(samples.map(({ name, fields = {} }) => [name, new Map(Object.entries(fields))]));
  return { names: [...new Set([...bySample.values()].flatMap((fields) => [...fields.keys()]))], bySample };
}

const REVIEW_FIELDS = ["verdict", "comment", "reviewed_by"] as const;

/** The inputs with defaults, which also replace null. */
function withDefaults(inputs: CwlObject, defaults: CwlObject): CwlObject {
  const missing = Object.entries(defaults).filter(([port]) => (inputs[port] ?? null) === null);
  return { ...inputs, ...Object.fromEntries(missing) };
}

function samplesOf({ runId }: RunRow, { columns, rows }: ResultLayout): SampleOfRun[] {
  const bySample = new Set(columns.filter(({ by }) => by === "sample").map(({ output }) => output));
  return rows.flatMap(({ sampleId, index, cells }) => {
    if (!cells.some(({ output }) => bySample.has(output))) return [];
    return [{ runId, sampleId, index, outputs: new Map(cells.map(({ output, value }) => [output, value])) }];
  });
}

/** Samples of the inputs without any output follow. */
function withAllSamples({ runId, samples }: RunRow, rows: readonly SampleOfRun[]): readonly SampleOfRun[] {
  const known = new Set(rows.map(({ sampleId }) => sampleId));
  const others = new Set(Object.values(samples).flat()).difference(known);
  return [...rows, ...[...others].map((sampleId) => ({ runId, sampleId, index: null, outputs: new Map() }))];
}

function inputLookup(inputs: CwlObject, samples: RunRow["samples"]): RunRows["inputOf"] {
  const names = new Map(Object.entries(samples));
  const bySample = new Map<string, ReadonlyMap<string, CwlValue>>();
  const shared = new Map<string, CwlValue>();
  for (const [port, value] of Object.entries(inputs)) {
    const ofPort = names.get(port);
    if (ofPort === undefined || !isArray(value)) shared.set(port, value);
    else bySample.set(port, elementsOf(value, ofPort));
  }
  return (port, { sampleId }) =>
    shared.get(port) ?? (sampleId === null ? undefined : bySample.get(port)?.get(sampleId));
}

/** The elements of a list by sample; if a sample occurs several times, the first element is used. */
function elementsOf(values: readonly CwlValue[], samples: readonly string[]): ReadonlyMap<string, CwlValue> {
  const found = new Map<string, CwlValue>();
  for (const [at, sample] of samples.entries()) if (!found.has(sample)) found.set(sample, values[at] ?? null);
  return found;
}

function wholeOutputs({ columns, rows }: ResultLayout): ReadonlyMap<string, CwlValue> {
  const ofRun = new Set(columns.filter(({ by }) => by === "run").map(({ output }) => output));
  const cells = rows.flatMap((row) => (row.index === null && row.sampleId === null ? row.cells : []));
  return new Map(cells.flatMap(({ output, value }) => (ofRun.has(output) ? [[output, value]] : [])));
}
