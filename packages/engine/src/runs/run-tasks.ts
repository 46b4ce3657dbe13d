import type { Caller } from "../port/caller.ts";
import type { ValuePlaces } from "../port/engine.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { JobTableQuery } from "../journal/read-job-table.ts";
import type { RunRow } from "../journal/rows.ts";
import { presentValues } from "../present/present-values.ts";
import { hashed, type Bytes, type Reading } from "../read/reading.ts";
import { listSamples, type SamplesQuery } from "./run-samples.ts";

export function runTasks({ read }: Reading) {
  return (caller: Caller) => ({
    /** A record of a run as JSON, with its large values. */
    filled: (runId: string, record: object, places: ValuePlaces): Bytes => {
      fill(requireVisibleRun(read, runId, caller), { record, places, caller, read });
      return hashed(JSON.stringify(record));
    },
    jobOrder: (runId: string, query: JobTableQuery, nowMs: number) => read.jobOrder(runId, query, nowMs),
    /** The JSON of part of the jobs. */
    jobTimes: (runId: string, after: number): Bytes =>
      hashed(JSON.stringify(read.jobTimes(requireVisibleRun(read, runId, caller).runId, after))),
    /** The JSON of a page of samples. */
    jobsBySample: (runId: string, query: SamplesQuery): Bytes =>
      hashed(JSON.stringify(listSamples(requireVisibleRun(read, runId, caller), query, read))),
  });
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
