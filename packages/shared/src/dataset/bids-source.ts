import { decodeEscapes } from "../text/decode-escapes.ts";
import { readBidsName, type Fields } from "./read-bids-name.ts";

/** A file of a BIDS dataset, known by its address only. */
export interface BidsSource {
  /** Address of the dataset, with a slash at its end. */
  readonly dataset: string;
  /** Relative to the dataset, without escapes. */
  readonly path: string;
  readonly fields: Fields;
}

/** The dataset of a file begins above the first folder of a subject. Undefined for other files. */
export function bidsSource(location: string): BidsSource | undefined {
  const segments = location.split("/");
  const at = segments.findIndex((segment) => /^sub-[a-zA-Z0-9+]+$/.test(segment));
  if (at < 1) return undefined;
  const path = decodeEscapes(segments.slice(at).join("/"));
  if (path === undefined) return undefined;
  const read = readBidsName(path);
  if ("fault" in read || read.fields["sub"] === undefined) return undefined;
  return { dataset: `${segments.slice(0, at).join("/")}/`, path, fields: read.fields };
}

/**
 * The fields in which no two files of a sample differ. A field that only some files have applies to all: a functional
 * image has a run, its anatomical image has none.
 */
export function commonFields(sources: readonly Pick<BidsSource, "fields">[]): Fields {
  const common = new Map<string, string | undefined>();
  for (const { fields } of sources)
    for (const [name, value] of Object.entries(fields))
      common.set(name, !common.has(name) || common.get(name) === value ? value : undefined);
  return Object.fromEntries([...common].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** The name of a dataset in BIDS URIs: `study` for `weft-data://study/`. */
export function linkName(dataset: string): string {
  const name = dataset
    .replace(/^[a-z-]+:\/\//, "")
    .replaceAll(/[^a-zA-Z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return name === "" ? "source" : name;
}

/** `bids:study:sub-01/anat/sub-01_T1w.nii.gz` */
export function bidsUri({ dataset, path }: BidsSource): string {
  return `bids:${linkName(dataset)}:${path}`;
}
