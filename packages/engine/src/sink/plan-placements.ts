import type { CwlObject, CwlValue, DirectoryValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { isFileOrDirectory } from "../values/map-files.ts";
import { onlySample, type SampleNames, type SampleSources } from "./derivative/sample-sources.ts";
import type { Sinks } from "./check-sinks.ts";
import { derivativePath, extensionOf, isDerivative, parseDerivative } from "@weft/shared/dataset/derivative-name.ts";
import { fillSinkTemplate, parseSinkTemplate, type SinkField } from "./sink-template.ts";

/** One file, or one empty folder, and its destination. */
export interface Placement {
  readonly output: string;
  readonly sampleId: string | null;
  readonly root: string;
  /** Relative to the root. */
  readonly path: readonly string[];
  /** Names of the folders from the root to the BIDS dataset that it belongs to. */
  readonly dataset?: readonly string[] | undefined;
  /** True if an existing entry of this name stays. */
  readonly isOptional?: true;
  /** The published file; undefined for a folder. */
  readonly file: PublishedFile | undefined;
  /** The file itself, or the folder that contains it. */
  readonly whole: PlacedWhole;
}

/** A file, or an outermost folder. */
export interface PlacedWhole {
  /** Relative to the root. */
  readonly path: readonly string[];
  /** `file:` URL of the published output; undefined for a folder that was never written. */
  readonly location: string | undefined;
}

export interface PublishedFile {
  /** `file:` URL. */
  readonly location: string;
  /** Weft's description of an output, which is in no file: the location is that of the output. */
  readonly text?: string;
  /** `sha1$…`. */
  readonly checksum: string;
  readonly size: number;
}

export interface PlacementRequest {
  readonly runId: string;
  readonly sinks: Sinks;
  /** The sample names of the request. */
  readonly samples: SampleNames;
  /** Published: with locations, checksums and folder listings. */
  readonly outputs: CwlObject;
  /** The sample of each element of list outputs. */
  readonly outputNames: ReadonlyMap<string, readonly string[]>;
  /** The files of BIDS datasets that each sample was made of. */
  readonly sources: SampleSources;
}

/**
 * The destination of every file, or one sentence that says why a file has none. Null outputs, which result from
 * failures, have no destination. Pure.
 */
export function planPlacements(request: PlacementRequest): readonly Placement[] | string {
  const placements: Placement[] = [];
  for (const [output, text] of Object.entries(request.sinks)) {
    const destination = readDestination(text, request.sources);
    if (typeof destination === "string") return `the destination of the output "${output}" ${destination}`;
    const place = { request, output, destination, sampleId: undefined, index: [] };
    const planned = placeValue(request.outputs[output] ?? null, place);
    if (typeof planned === "string") return `the destination of the output "${output}" ${planned}`;
    placements.push(...planned);
  }
  return collision(placements) ?? placements;
}

interface Place {
  readonly request: PlacementRequest;
  readonly output: string;
  readonly destination: Destination;
  readonly sampleId: string | undefined;
  /** Indices in nested lists, outermost first. */
  readonly index: readonly number[];
}

function placeValue(value: CwlValue, place: Place): Placement[] | string {
  if (value === null || typeof value !== "object") return [];
  if (isFileOrDirectory(value)) return placeOne(value, place);
  if (!Array.isArray(value)) return placeAll(Object.values(value), () => place);
  const names = place.index.length === 0 ? place.request.outputNames.get(place.output) : undefined;
  return placeAll(value as readonly CwlValue[], (number) => ({
    ...place,
    index: [...place.index, number],
    sampleId: place.sampleId ?? names?.[number],
  }));
}

function placeAll(values: readonly CwlValue[], placeOf: (number: number) => Place): Placement[] | string {
  const all: Placement[] = [];
  for (const [number, value] of values.entries()) {
    const placed = placeValue(value, placeOf(number));
    if (typeof placed === "string") return placed;
    all.push(...placed);
  }
  return all;
}

function placeOne(
  value: FileOrDirectory,
  { request, output, index, destination, ...place }: Place,
): Placement[] | string {
  const sampleId = place.sampleId ?? onlySample(request.samples);
  const { basename = "" } = value;
  const dot = basename.lastIndexOf(".");
  const stem = dot > 0 ? basename.slice(0, dot) : basename;
  const fields: FilledFields = {
    sample_id: sampleId,
    basename,
    nameroot: stem,
    nameext: basename.slice(stem.length),
    output,
    index: index.length === 0 ? undefined : index.join("."),
    run_id: request.runId,
  };
  const { root, dataset, besideName } = destination;
  if (value.class === "Directory" && dataset !== undefined)
    return `cannot have a BIDS name as a folder ("${basename}"); use a vfs:// destination`;
  const path = destination.pathOf(fields);
  if (typeof path === "string") return `${path}, for the file "${basename}"`;
  const at = { output, sampleId: sampleId ?? null, root, dataset };
  return placeEntry(value, path, { at, besideName });
}

interface Around {
  readonly at: Pick<Placement, "output" | "sampleId" | "root" | "dataset"> & {
    /** The outermost enclosing folder. */
    readonly whole?: PlacedWhole;
  };
  readonly besideName: Destination["besideName"];
}

function placeEntry(entry: FileOrDirectory, path: readonly string[], around: Around): Placement[] {
  return entry.class === "File" ? placeFile(entry, path, around) : placeFolder(entry, path, around);
}

function placeFile(file: FileValue, path: readonly string[], around: Around): Placement[] {
  const { location, checksum = "", size = 0, basename = "", secondaryFiles = [] } = file;
  if (location === undefined) return [];
  const folder = path.slice(0, -1);
  const beside = secondaryFiles.flatMap((secondary) => {
    const name = around.besideName(secondary.basename ?? "", basename, path.at(-1) ?? "");
    return placeEntry(secondary, [...folder, name], around);
  });
  return [{ whole: { path, location }, ...around.at, path, file: { location, checksum, size } }, ...beside];
}

function placeFolder(
  { location, listing = [] }: DirectoryValue,
  path: readonly string[],
  { at: outer, besideName }: Around,
): Placement[] {
  const at = { whole: { path, location }, ...outer };
  const inner = listing.flatMap((member) => placeEntry(member, [...path, member.basename ?? ""], { at, besideName }));
  return inner.length === 0 ? [{ ...at, path, file: undefined }] : inner;
}

/**
 * Two files with the same destination, or a file where another needs a folder; identical content twice is not a
 * conflict.
 */
function collision(placements: readonly Placement[]): string | undefined {
  const taken = new Map(placements.map((placement) => [placeOf(placement, placement.path.length), placement] as const));
  for (const placement of placements) {
    const same = taken.get(placeOf(placement, placement.path.length));
    if (same !== undefined && same.file?.checksum !== placement.file?.checksum) return collided(same, placement);
    const above = placement.path.flatMap((_, depth) => taken.get(placeOf(placement, depth)) ?? []);
    const obstacle = above.find(({ file }) => file !== undefined);
    if (obstacle !== undefined) return collided(obstacle, placement);
  }
  return undefined;
}

function placeOf({ root, path }: Placement, depth: number): string {
  return [root, ...path.slice(0, depth)].join("/");
}

function collided(one: Placement, other: Placement): string {
  const place = placeOf(one, one.path.length);
  return `two different files would go to vfs://${place}: from the outputs "${other.output}" and "${one.output}"`;
}

/** Values of fields for one file; undefined: it has none. */
type FilledFields = Readonly<Record<SinkField, string | undefined>>;

/** The destination of the files of one output. */
interface Destination {
  readonly root: string;
  /** Names of the folders from the root to the dataset, if it is a BIDS dataset. */
  readonly dataset?: readonly string[];
  /** The path relative to the root, or the reason why a file has none, as the end of a sentence. */
  readonly pathOf: (fields: FilledFields) => readonly string[] | string;
  /** The name of a secondary file of `primary`, which is called `placed` at its destination. */
  readonly besideName: (name: string, primary: string, placed: string) => string;
}

/** Parses a destination; for an invalid one, returns the problem as the end of a sentence. */
function readDestination(text: string, sources: SampleSources): Destination | string {
  return isDerivative(text) ? inDataset(text, sources) : byTemplate(text);
}

function byTemplate(text: string): Destination | string {
  const template = parseSinkTemplate(text);
  if (typeof template === "string") return template;
  const pathOf = (fields: FilledFields) => {
    const filled = fillSinkTemplate(template, fields);
    return typeof filled === "string" ? filled : filled.path;
  };
  return { root: template.root, pathOf, besideName };
}

/** `a.bam.bai` next to `a.bam` becomes `s1.bam.bai` if that becomes `s1.bam`; `a.bai` becomes `s1.bai`. */
function besideName(name: string, primary: string, placed: string): string {
  const withoutEnd = (text: string) => text.replace(/(?<=.)\.[^.]*$/, "");
  if (primary !== "" && name.startsWith(primary)) return placed + name.slice(primary.length);
  const stem = withoutEnd(primary);
  return stem !== "" && name.startsWith(`${stem}.`) ? withoutEnd(placed) + name.slice(stem.length) : name;
}

function inDataset(text: string, sources: SampleSources): Destination | string {
  const template = parseDerivative(text);
  if (typeof template === "string") return template;
  return {
    root: template.root,
    dataset: template.dataset,
    pathOf: ({ sample_id: sample, basename = "" }) => {
      const found = sources.get(sample ?? "");
      if (found === undefined) return `has no BIDS name without a subject`;
      return derivativePath(template, found.common, basename);
    },
    // BIDS names have no dot before the extension.
    besideName: (name, _primary, placed) => placed.slice(0, placed.indexOf(".")) + extensionOf(name),
  };
}
