import { hash } from "node:crypto";
import type { RunComparison, Tolerance } from "@weft/shared/records/comparison-record.ts";
import type { DatasetQuery, QueryResult } from "@weft/shared/records/dataset-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { openServerFiles } from "../../access/open-server-files.ts";
import type { ServerFolders } from "../../access/open-server-files.ts";
import { requireVisibleRun, visibleOwner } from "../../access/visible-runs.ts";
import { zipArchive } from "../../archive/zip-archive.ts";
import { DatasetReader } from "../../datasets/dataset-reader.ts";
import type { DatasetFolder, FileSearch } from "../../datasets/dataset-reader.ts";
import { listDatasets } from "../../datasets/list-datasets.ts";
import { InsightReader } from "../../insight/insight-reader.ts";
import type { LogFeature } from "../../journal/log-feature.ts";
import { createLogReader } from "../../journal/log-reader.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import { openForReading } from "../../journal/open-database.ts";
import type { JobTableQuery } from "../../journal/read-job-table.ts";
import type { RunRow } from "../../journal/rows.ts";
import type { Caller, HashedText, ValuePlaces } from "../../port/engine.ts";
import { layOutRun } from "../../present/lay-out-run.ts";
import type { DeclaredOutput } from "../../present/lay-out-run.ts";
import { presentValues, valuesToShow } from "../../present/present-values.ts";
import { RecentLayouts } from "../../present/recent-layouts.ts";
import { pageOfResults } from "../../present/result-rows.ts";
import type { ResultLayout, ResultPage, WantedRows } from "../../present/result-rows.ts";
import { compareRuns } from "../../provenance/compare/compare-runs.ts";
import { usedByRun } from "../../provenance/compare/used-by-run.ts";
import { crateOfRun } from "../../provenance/crate-of-run.ts";
import { lineageOfRun } from "../../provenance/lineage-of-run.ts";
import { provJson } from "../../provenance/prov-json.ts";
import { provOfRun } from "../../provenance/prov-of-run.ts";
import { realPathOf } from "../../provenance/real-path-of.ts";
import { SampleTables } from "../../table/sample-tables.ts";
import type { TableContext, TableTask } from "../../table/sample-tables.ts";

export interface ReadData {
  /** Absolute path of the log. */
  readonly database: string;
  readonly folders: ServerFolders;
}

/** UTF-8 with its digest. */
type Bytes = HashedText<Uint8Array<ArrayBuffer>>;

/** A result as JSON, in parts that take little time to parse. */
export interface ResultParts {
  /** The result without samples. */
  readonly rest: Uint8Array<ArrayBuffer>;
  /** Lists of samples. */
  readonly samples: readonly Uint8Array<ArrayBuffer>[];
}

const SAMPLES_PER_PART = 500;

/**
 * The tasks of the read pool, for one caller each time. Each thread has a connection of its own to the log and caches
 * data that never changes. An answer that grows with the jobs of a run or the files of a folder belongs here.
 */
export function openReadTasks({ database, folders }: ReadData, features: readonly LogFeature[]) {
  const read = createLogReader(openForReading(database), "reader", features);
  const { roots, access } = openServerFiles(folders, read);
  const reading: Reading = { read, roots, access, folders, layouts: new RecentLayouts(2) };
  const tables = new SampleTables(reading);
  const insight = new InsightReader(read, roots.uris);
  return (caller: Caller) => ({
    ...runTasks(caller, reading),
    ...documentTasks(caller, reading),
    ...insight.tasksOf(caller),
    ...datasetTasks(caller, reading),
    /** A table of samples as JSON, or as a file. */
    table: async (task: TableTask): Promise<Bytes> => hashed(await tables.answer(caller, task)),
  });
}

/** Functions by name. */
export type ReadTasks = ReturnType<ReturnType<typeof openReadTasks>>;

interface Reading extends TableContext {
  readonly folders: ServerFolders;
  /** A layout is as large as the outputs of its run. */
  readonly layouts: RecentLayouts<ResultLayout>;
}

function runTasks(caller: Caller, { read, layouts }: Reading) {
  const { links } = caller;
  const required = (runId: string) => requireVisibleRun(read, runId, caller);
  return {
    /** A run with the runs before and after it. */
    lineage: (runId: string, depth: number, sample: string | undefined) => {
      required(runId);
      return lineageOfRun({ runId, depth, sample, visibleOwner: visibleOwner(caller) }, read, links);
    },
    /** A record of a run as JSON, with its large values. */
    filled: (runId: string, record: object, places: ValuePlaces): Bytes => {
      fill(required(runId), { record, places, caller, read });
      return hashed(JSON.stringify(record));
    },
    /** A page of the outputs of a run as rows. */
    results: (runId: string, declared: readonly DeclaredOutput[], page: WantedRows): ResultPage => {
      const { outputs } = required(runId);
      // The outputs of an ended run never change; a damaged log has none.
      const layout = layouts.get(`${runId} ${outputs ?? ""}`, () =>
        layOutRun(runId, { outputs: outputs === null ? {} : valuesToShow(read.blobToShow(outputs)), declared }, read),
      );
      return pageOfResults(layout, page, links);
    },
    jobOrder: (runId: string, query: JobTableQuery, nowMs: number) => read.jobOrder(runId, query, nowMs),
    /** The JSON of part of the jobs. */
    jobTimes: (runId: string, after: number): Bytes =>
      hashed(JSON.stringify(read.jobTimes(required(runId).runId, after))),
  };
}

function documentTasks(caller: Caller, { read, roots, access, folders }: Reading) {
  const { links } = caller;
  const { uris } = roots;
  const required = (runId: string) => requireVisibleRun(read, runId, caller);
  const located = () => {
    const { reach } = access.ofCaller(caller);
    return { reach, resolve: (uri: string) => realPathOf(uri, { roots, reach }) };
  };
  const crate = (run: RunRow) =>
    crateOfRun(run, { read, uris, runsFolder: folders.places.runs, links, access, ...located() });
  return {
    provJson: (runId: string): Bytes => hashed(JSON.stringify(provJson(provOfRun(required(runId), read)))),
    crateMetadata: async (runId: string): Promise<Bytes> => hashed((await crate(required(runId))).metadata),
    crate: async (runId: string) => {
      const run = required(runId);
      return zipArchive((await crate(run)).parts, new Date(run.endedMs ?? run.updatedMs));
    },
    comparison: async (runIds: readonly [string, string], tolerance: Tolerance): Promise<RunComparison> => {
      const [first, second] = [ended(required(runIds[0])), ended(required(runIds[1]))];
      return {
        run_id: first.runId,
        with: second.runId,
        ...(await compareRuns({ first, second }, read, { tolerance, uris, ...located() })),
        used: {
          first: usedByRun(first, read.jobsOfRun(first.runId)),
          second: usedByRun(second, read.jobsOfRun(second.runId)),
        },
      };
    },
  };
}

function datasetTasks(caller: Caller, { roots, access }: Reading) {
  const reach = () => access.ofCaller(caller).reach;
  const reader = () => new DatasetReader(roots, reach());
  return {
    datasets: () => listDatasets(roots, reach()),
    dataset: (folder: DatasetFolder) => reader().detail(folder),
    datasetFiles: (search: FileSearch) => reader().files(search),
    datasetQuery: async (query: DatasetQuery): Promise<ResultParts> => partsOf(await reader().query(query)),
  };
}

function hashed(content: string | Uint8Array<ArrayBuffer>): Bytes {
  const bytes = typeof content === "string" ? bytesOf(content) : content;
  return { bytes, sha256: hash("sha256", bytes, "base64url") };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function ended(run: RunRow): RunRow {
  if (run.endedMs === null)
    throw new Refusal("conflict", `The run ${run.runId} has not ended; compare it when it has.`);
  return run;
}

interface Filling {
  readonly record: object;
  readonly places: ValuePlaces;
  readonly caller: Caller;
  readonly read: LogReader;
}

function fill(run: RunRow, { record, places, caller: { links }, read }: Filling): void {
  const { inputs, outputs, placed } = places;
  if (inputs !== undefined) put(record, inputs, presentValues(read.blobToShow(run.inputs), links));
  if (outputs !== undefined && run.outputs !== null)
    put(record, outputs, presentValues(read.blobToShow(run.outputs), links));
  if (placed !== undefined && run.placed !== null) put(record, placed, JSON.parse(read.blob(run.placed)));
}

/** Replaces the value at the end of a path of keys. */
function put(record: object, keys: readonly string[], value: unknown): void {
  const [key = "", ...rest] = keys;
  const [name] = Object.entries(record).find(([found]) => found === key) ?? [];
  if (name === undefined) throw new Error(`the record has no place ${keys.join(".")}`);
  if (rest.length === 0) Object.assign(record, { [name]: value });
  else put(Object(Reflect.get(record, name)), rest, value);
}

function partsOf({ samples, ...rest }: QueryResult): ResultParts {
  const count = Math.ceil(samples.length / SAMPLES_PER_PART);
  return {
    rest: bytesOf(JSON.stringify(rest)),
    samples: Array.from({ length: count }, (_, part) =>
      bytesOf(JSON.stringify(samples.slice(part * SAMPLES_PER_PART, (part + 1) * SAMPLES_PER_PART))),
    ),
  };
}
