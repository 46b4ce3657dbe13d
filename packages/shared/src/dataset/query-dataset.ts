import {
  MAX_LISTED_FILES,
  type DatasetQuery,
  type LeftOut,
  type QueryResult,
  type QueriedSample,
} from "../records/dataset-record.ts";
import { filesOfValue, type SelectedFile, type SelectedValue } from "./fill-columns.ts";
import { type ReadJson, withoutExtension } from "./find-companions.ts";
import type { DatasetIndex, IndexedFile } from "./index-dataset.ts";
import type { QueryFault } from "./query-plan.ts";
import { fieldsPerSample, sampleFields } from "./sample-fields.ts";
import { selectSamples, type SelectedSample } from "./select-samples.ts";

/** Size and time of a file that a sample uses. */
export interface FileStamp {
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface QueryReaders {
  /** The content of a JSON sidecar; undefined if it cannot be read. */
  readonly readJson?: ReadJson;
  /** Returns the size and time of a file. Without it, samples have no stamps. */
  readonly stampOf?: (path: string) => FileStamp | undefined;
}

/** The samples of a query as CWL values, with omitted samples and files and the reasons; or the errors in the query. */
export function queryDataset(
  index: DatasetIndex,
  query: DatasetQuery,
  { readJson, stampOf }: QueryReaders = {},
): QueryResult | { readonly faults: readonly QueryFault[] } {
  const selection = selectSamples(index, query, readJson);
  if ("faults" in selection) return selection;
  const base = query.location.replace(/\/?$/, "/");
  const most = fieldsPerSample(selection.samples.length);
  const samples = selection.samples.map((sample) =>
    toSample(sample, base, { stampOf, fieldsOf: (columns) => sampleFields(columns, index, most) }),
  );
  const unreadable = samples.filter((sample) => "reason" in sample);
  const samplesLeftOut = [...selection.samplesLeftOut, ...unreadable];
  return {
    location: query.location,
    samples: samples.filter((sample) => "columns" in sample),
    left_out: [...samplesLeftOut, ...selection.filesLeftOut.slice(0, MAX_LISTED_FILES)],
    samples_left_out: samplesLeftOut.length,
    files_left_out: selection.filesLeftOut.length,
    files_used: selection.filesUsed,
  };
}

interface SampleReaders {
  readonly stampOf: QueryReaders["stampOf"] | undefined;
  readonly fieldsOf: (columns: SelectedSample["columns"]) => QueriedSample["fields"];
}

function toSample(
  { name, columns }: SelectedSample,
  base: string,
  { stampOf, fieldsOf }: SampleReaders,
): QueriedSample | LeftOut {
  const stamps = stampOf === undefined ? {} : stampsOf(columns, stampOf);
  if (typeof stamps === "string") return { kind: "sample", name, reason: stamps };
  const values = Object.entries(columns).map(([column, value]) => [column, toValue(value, base)] as const);
  return { name, columns: Object.fromEntries(values), fields: fieldsOf(columns), ...stamps };
}

/** The total size and latest change of a sample's files, or a text that says which of them cannot be read. */
function stampsOf(columns: SelectedSample["columns"], stampOf: NonNullable<QueryReaders["stampOf"]>) {
  const files = Object.values(columns).flatMap(filesOfValue);
  const paths = new Set(files.flatMap(({ file, secondary }) => [file, ...secondary].map(({ path }) => path)));
  let [bytes, newestMs] = [0, 0];
  for (const path of paths) {
    const stamp = stampOf(path);
    if (stamp === undefined) return `${path} cannot be read: it is missing, or a link to somewhere else`;
    bytes += stamp.bytes;
    newestMs = Math.max(newestMs, stamp.modifiedMs);
  }
  return { bytes, modified_at: new Date(newestMs).toISOString() };
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

/** An inherited companion gets a basename that matches its file, because its own name differs. */
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
