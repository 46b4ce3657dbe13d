import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { FileValue } from "@weft/cwl/model/cwl-value.ts";
import { Recent } from "../async/recent.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import { runLater } from "../files/beneath/steps.ts";
import { flattenDelimited, rowsBySample, type DelimitedKind } from "./flatten-delimited.ts";
import { flattenValue, type FlatValues } from "./flatten-value.ts";

/** Maximum size of a file of measures about one sample; such files are small. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_TABLE_BYTES = 16 * 1024 * 1024;
/** Maximum number of values kept from files read earlier; about 100 bytes each. */
const MAX_KEPT_VALUES = 400_000;

export type MeasureKind = "json" | DelimitedKind;

/** The values of a file, or why it has none. */
export type FileMeasures = { readonly values: FlatValues } | { readonly why: string };

export interface FilePlaces {
  readonly roots: AllowedRoots;
  readonly reach: Reach;
}

/** The format of a file that can contain measures, by its name. */
export function measureKind({ basename }: FileValue): MeasureKind | undefined {
  const end = /\.(json|csv|tsv)$/i.exec(basename ?? "")?.[1]?.toLowerCase();
  return end === "json" || end === "csv" || end === "tsv" ? end : undefined;
}

/** Reads measures from files that jobs wrote. Keeps the values of recent ones by the checksum of their content. */
export class MeasureFiles {
  readonly #kept = new Recent<FileMeasures>(MAX_KEPT_VALUES, sizeOf);

  async ofSample(
    file: FileValue,
    { kind, sampleId, places }: SampleFile & { readonly kind: MeasureKind },
  ): Promise<FileMeasures> {
    const key = file.checksum === undefined ? undefined : `${kind} ${kind === "json" ? "" : sampleId} ${file.checksum}`;
    const known = key === undefined ? undefined : this.#kept.get(key);
    if (known !== undefined) return known;
    const text = await readText(file, places, MAX_FILE_BYTES);
    const measures = "why" in text ? text : measuresIn(text.text, kind, sampleId);
    if (key !== undefined && "values" in measures) this.#kept.set(key, measures);
    return measures;
  }
}

function sizeOf(measures: FileMeasures): number {
  return "values" in measures ? measures.values.size + 1 : 1;
}

interface SampleFile {
  readonly sampleId: string | null;
  readonly places: FilePlaces;
}

/** The rows of a table about all samples, or a sentence that says why there are none. */
export async function readSampleRows(
  file: FileValue,
  kind: DelimitedKind,
  { samples, places }: { readonly samples: ReadonlySet<string>; readonly places: FilePlaces },
): Promise<ReadonlyMap<string, FlatValues> | string> {
  const text = await readText(file, places, MAX_TABLE_BYTES);
  if ("why" in text) return text.why;
  return rowsBySample(text.text, kind, samples) ?? "no column names each sample once";
}

function measuresIn(text: string, kind: MeasureKind, sampleId: string | null): FileMeasures {
  if (kind !== "json") {
    const values = flattenDelimited(text, kind, sampleId);
    return values === undefined ? { why: "the table has several rows and none that names the sample" } : { values };
  }
  try {
    return { values: flattenValue(parseExactJson(text)) };
  } catch {
    return { why: "the file is not valid JSON" };
  }
}

async function readText(
  { location }: FileValue,
  { roots, reach }: FilePlaces,
  maxBytes: number,
): Promise<{ readonly text: string } | { readonly why: string }> {
  if (location === undefined) return { why: "the file was not recorded" };
  const found = await roots.resolve(location, (path) => runLater(reach.realPath(path)));
  if (found.kind !== "found") return { why: "the file no longer exists" };
  try {
    using file = await runLater(reach.openFile(found.realPath));
    const { size } = file.stats;
    if (size > maxBytes) return { why: `the file has ${size} bytes; Weft reads up to ${maxBytes}` };
    const bytes = await runLater(file.read(0, maxBytes));
    return bytes.includes(0) ? { why: "the file is not text" } : { text: bytes.toString("utf8") };
  } catch (error) {
    if (isGone(error)) return { why: "the file no longer exists" };
    throw error;
  }
}

function isGone(error: unknown): boolean {
  if (error instanceof OutOfReach) return true;
  const { code } = error as NodeJS.ErrnoException; // the error is from a system call
  return code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR" || code === "EACCES";
}
