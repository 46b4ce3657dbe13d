import { MAX_LISTED_FILES } from "../records/dataset-record.ts";
import type { DatasetQuery, QueryResult, QueriedSample } from "../records/dataset-record.ts";
import { filesOfValue } from "./fill-columns.ts";
import type { SelectedFile, SelectedValue } from "./fill-columns.ts";
import type { ReadJson } from "./find-companions.ts";
import { withoutExtension } from "./find-companions.ts";
import type { DatasetIndex, IndexedFile } from "./index-dataset.ts";
import type { QueryFault } from "./query-plan.ts";
import { selectSamples } from "./select-samples.ts";
import type { SelectedSample } from "./select-samples.ts";

/** Size and time of a file that a sample uses. */
export interface FileStamp {
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface QueryReaders {
  /** The content of a JSON sidecar; undefined if it cannot be read. */
  readonly readJson?: ReadJson;
  /** Absent: samples have no sizes and times. */
  readonly stampOf?: (path: string) => FileStamp | undefined;
}

/** The samples of a query as CWL values, what it leaves out and why; or the mistakes in the query. */
export function queryDataset(
  index: DatasetIndex,
  query: DatasetQuery,
  { readJson, stampOf }: QueryReaders = {},
): QueryResult | { readonly faults: readonly QueryFault[] } {
  const selection = selectSamples(index, query, readJson);
  if ("faults" in selection) return selection;
  const { samples, samplesLeftOut, filesLeftOut, filesUsed } = selection;
  const base = query.location.replace(/\/?$/, "/");
  return {
    location: query.location,
    samples: samples.map((sample) => toSample(sample, base, stampOf)),
    left_out: [...samplesLeftOut, ...filesLeftOut.slice(0, MAX_LISTED_FILES)],
    samples_left_out: samplesLeftOut.length,
    files_left_out: filesLeftOut.length,
    files_used: filesUsed,
  };
}

function toSample({ name, columns }: SelectedSample, base: string, stampOf: QueryReaders["stampOf"]): QueriedSample {
  const values = Object.entries(columns).map(([column, value]) => [column, toValue(value, base)] as const);
  return { name, columns: Object.fromEntries(values), ...(stampOf === undefined ? {} : stampsOf(columns, stampOf)) };
}

function stampsOf(columns: SelectedSample["columns"], stampOf: (path: string) => FileStamp | undefined) {
  const files = Object.values(columns).flatMap(filesOfValue);
  const paths = new Set(files.flatMap(({ file, secondary }) => [file, ...secondary].map(({ path }) => path)));
  const stamps = [...paths].flatMap((path) => stampOf(path) ?? []);
  return {
    bytes: stamps.reduce((sum, { bytes }) => sum + bytes, 0),
    modified_at: new Date(stamps.reduce((newest, { modifiedMs }) => Math.max(newest, modifiedMs), 0)).toISOString(),
  };
}

function toValue(value: SelectedValue, base: string): unknown {
  if (value === undefined) return null;
  if (typeof value === "string") return value;
  return "file" in value ? toFile(value, base) : value.map((one) => toFile(one, base));
}

function toFile({ file, secondary }: SelectedFile, base: string): object {
  return {
    class: file.isFolder === true ? "Directory" : "File",
    location: addressOf(file, base),
    ...(secondary.length === 0 ? {} : { secondaryFiles: secondary.map((one) => toCompanion(one, file, base)) }),
  };
}

/** A companion gets the name of its file, which an inherited one does not have. */
function toCompanion(companion: IndexedFile, file: IndexedFile, base: string): object {
  const isInherited = companion.fields["suffix"] === file.fields["suffix"] && companion.fields["suffix"] !== undefined;
  const name = withoutExtension(file).replace(/^.*\//, "") + (companion.fields["extension"] ?? "");
  return {
    class: "File",
    location: addressOf(companion, base),
    ...(isInherited && !companion.path.endsWith(`/${name}`) ? { basename: name } : {}),
  };
}

function addressOf({ path }: IndexedFile, base: string): string {
  return base + path.split("/").map(encodeURIComponent).join("/");
}
