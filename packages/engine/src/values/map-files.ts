import type { CwlObject, CwlValue, DirectoryValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { mapFields, mapItems } from "@weft/cwl/values/map-values.ts";

/** True for File and Directory objects, which differ from records by their class. */
export function isFileOrDirectory(value: CwlValue | undefined): value is FileOrDirectory {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const kind = (value as { readonly class?: unknown }).class; // records may have a field of this name with any value
  return kind === "File" || kind === "Directory";
}

export function isScalar(value: CwlValue): value is null | boolean | number | bigint | string {
  return typeof value !== "object" || value === null;
}

type FileChange = (value: FileOrDirectory) => FileOrDirectory;

/**
 * A value in which every File and Directory, including secondary files and listings, went through `change`; itself if it has none.
 */
export function mapFiles(value: CwlValue, change: FileChange): CwlValue {
  if (typeof value !== "object" || value === null) return value;
  if (isFileOrDirectory(value)) return mapFile(value, change);
  if (Array.isArray(value)) return mapItems<CwlValue>(value, (item) => mapFiles(item, change));
  return mapObjectFiles(value as CwlObject, change); // the rest of the union is a record
}

export function mapObjectFiles(object: CwlObject, change: FileChange): CwlObject {
  return mapFields(object, (value) => mapFiles(value, change));
}

function mapFile(value: FileOrDirectory, change: FileChange): FileOrDirectory {
  const changed: FileOrDirectory = change(value);
  if (changed.class === "File") {
    const { secondaryFiles } = changed;
    return secondaryFiles === undefined
      ? changed
      : ({ ...changed, secondaryFiles: secondaryFiles.map((file) => mapFile(file, change)) } satisfies FileValue);
  }
  const { listing } = changed;
  return listing === undefined
    ? changed
    : ({ ...changed, listing: listing.map((file) => mapFile(file, change)) } satisfies DirectoryValue);
}

/** A File or Directory within an object. */
export interface PlacedFile {
  /** Name of its parameter. */
  readonly port: string;
  /** The file's path in the parameter's value: `[2]`, `.reads[0].secondaryFiles[1]`; empty for the value itself. */
  readonly place: string;
  readonly file: FileOrDirectory;
}

/** Every File and Directory of an object, including secondary files and listings, in order. */
export function filesOf(object: CwlObject): PlacedFile[] {
  const found: PlacedFile[] = [];
  for (const [port, value] of Object.entries(object)) addFiles(value, { port, place: undefined }, found);
  return found;
}

/** A path within a value, turned into text only for Files and Directories. */
interface Place {
  readonly parent: Place | undefined;
  /** A field of a record, a File or a Directory. */
  readonly field: string;
  readonly index: number | undefined;
}

function placeText(place: Place | undefined): string {
  if (place === undefined) return "";
  const { parent, field, index } = place;
  return `${placeText(parent)}${field === "" ? "" : `.${field}`}${index === undefined ? "" : `[${index}]`}`;
}

interface Around {
  readonly port: string;
  readonly place: Place | undefined;
}

function addFiles(value: CwlValue, around: Around, found: PlacedFile[]): void {
  if (typeof value !== "object" || value === null) return;
  const { port, place } = around;
  if (isFileOrDirectory(value)) {
    found.push({ port, place: placeText(place), file: value });
    if (value.class === "File") addAll(value.secondaryFiles ?? [], { ...around, field: "secondaryFiles" }, found);
    else addAll(value.listing ?? [], { ...around, field: "listing" }, found);
  } else if (Array.isArray(value)) addAll(value, { ...around, field: "" }, found);
  else
    for (const [field, inner] of Object.entries(value as CwlObject))
      // the rest of the union is a record
      if (typeof inner === "object")
        addFiles(inner, { port, place: { parent: place, field, index: undefined } }, found);
}

function addAll(
  items: readonly CwlValue[],
  { port, place, field }: Around & Pick<Place, "field">,
  found: PlacedFile[],
): void {
  for (const [index, item] of items.entries())
    if (typeof item === "object") addFiles(item, { port, place: { parent: place, field, index } }, found);
}
