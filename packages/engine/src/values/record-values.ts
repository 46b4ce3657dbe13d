import { fileURLToPath } from "node:url";
import type { CwlObject, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import type { ContentDigest } from "../files/content-digest.ts";
import { lastDigest, textDigest } from "../files/hash-file.ts";
import { filesOf, mapObjectFiles, type PlacedFile } from "./map-files.ts";
import { mayHoldLong, parseExactJson } from "@weft/shared/json/exact-json.ts";
import { redactUrl } from "../files/remote/remote-url.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { Blob } from "../journal/journal-event.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";

/** A text that the log keeps under its digest (`sha256:…`). `text` is absent if the log already has it. */
export interface KeptText {
  readonly digest: string;
  readonly text?: string;
}

export function keptText(text: string): Required<KeptText> {
  return { digest: textDigest(text), text };
}

/** A CWL object as the log stores it: portable locations, no paths of job folders; and the files that it names. */
export interface RecordedValues {
  readonly blob: Blob;
  readonly files: readonly RecordedFile[];
}

export interface Recording {
  readonly uris: PortableUris;
  /** The origin of each published output (`file:` URL → `file:` URL). */
  readonly sources: ReadonlyMap<string, string>;
}

export function recordValues(values: CwlObject, uris: PortableUris): RecordedValues {
  const text = valuesText(portableValues(values, uris));
  return { blob: keptText(text), files: recordFiles(values, { uris, sources: new Map() }) };
}

/** The files of an object. `within`: the path of each value in the value of its parameter. */
export function recordFiles(values: CwlObject, recording: Recording, within = ""): readonly RecordedFile[] {
  return filesOf(values).flatMap(({ place, ...placed }) => recordFile({ ...placed, place: within + place }, recording));
}

/** The text of values. A large number that is not a `bigint` gets an exponent, so that it is not read as one. */
export function valuesText(values: CwlObject): string {
  const text = JSON.stringify(values);
  const withExponent = (_name: string, value: unknown) =>
    isLargeWhole(value) ? JSON.rawJSON(value.toExponential()) : value;
  return mayHoldLong(text) && holdsLargeWhole(values) ? JSON.stringify(values, withExponent) : text;
}

function isLargeWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

function holdsLargeWhole(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isLargeWhole(value);
  return Object.values(value).some(holdsLargeWhole);
}

/** Values with portable locations and without paths of job folders. */
export function portableValues(values: CwlObject, uris: PortableUris): CwlObject {
  return mapObjectFiles(values, (file) => toRecorded(file, uris));
}

/** Reads recorded values without a check: the log contains only values that `recordValues` wrote or an import checked. */
export function recordedValues(text: string): CwlObject {
  return parseExactJson(text) as CwlObject; // see above
}

/** Like `recordedValues`, but with `file:` locations. */
export function restoreValues(text: string, uris: PortableUris): CwlObject {
  return mapObjectFiles(recordedValues(text), (file) => {
    const location = file.location === undefined ? undefined : uris.toFile(file.location);
    return location === undefined ? file : { ...file, location };
  });
}

function toRecorded(file: FileOrDirectory, uris: PortableUris): FileOrDirectory {
  const { path: _path, ...rest } = file;
  const kept = rest.class === "File" ? withoutDirname(rest) : rest;
  return kept.location === undefined ? kept : { ...kept, location: uris.toPortable(redactUrl(kept.location)) };
}

function withoutDirname<Value extends { readonly dirname?: string }>(value: Value): Omit<Value, "dirname"> {
  const { dirname: _dirname, ...rest } = value;
  return rest;
}

/** Literals that were never written to disk are values, not files; so are data URLs. */
function recordFile({ port, place, file }: PlacedFile, { uris, sources }: Recording): RecordedFile[] {
  if (file.location === undefined || file.location.startsWith("data:")) return [];
  const source = sources.get(file.location);
  return [
    {
      port,
      ...placeOf(place),
      name: file.basename ?? "",
      uri: uris.toPortable(redactUrl(file.location)),
      ...(source === undefined ? {} : { source_uri: uris.toPortable(redactUrl(source)) }),
      ...contentOf(file, source),
    },
  ];
}

/** If the value itself is the file, its path is empty. */
export function placeOf(place: string): Pick<RecordedFile, "place"> {
  return place === "" ? {} : { place };
}

/** Includes the SHA-256 if this process has read the bytes with this checksum, here or at their origin. */
function contentOf(
  file: FileOrDirectory,
  source: string | undefined,
): Pick<RecordedFile, "class" | "checksum" | "sha256" | "size"> {
  if (file.class === "Directory") return { class: "Directory", checksum: null, size: null };
  const { location, checksum = null, size = null } = file;
  const digest = [location, source].map(digestAt).find((known) => known?.sha1 === checksum);
  return { checksum, ...(digest === undefined ? {} : { sha256: digest.sha256 }), size };
}

function digestAt(uri: string | undefined): ContentDigest | undefined {
  return uri?.startsWith("file:") === true ? lastDigest(fileURLToPath(uri)) : undefined;
}
