import type { CwlObject, CwlValue, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { isFileOrDirectory } from "../values/map-files.ts";

/**
 * The inputs of a job as an input object beside which its files lie: locations are relative, and what follows from the
 * files themselves is left out. A location that has no place stays as it is.
 */
export function inputObject(inputs: CwlObject, places: ReadonlyMap<string, string>): CwlObject {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, relative(value, places)]));
}

function relative(value: CwlValue, places: ReadonlyMap<string, string>): CwlValue {
  if (typeof value !== "object" || value === null) return value;
  if (isFileOrDirectory(value)) return relativeFile(value, places);
  if (Array.isArray(value)) return value.map((item: CwlValue) => relative(item, places));
  return inputObject(value as CwlObject, places); // what is left of the union is a record
}

function relativeFile(value: FileOrDirectory, places: ReadonlyMap<string, string>): FileOrDirectory {
  const { location, basename } = value;
  const place = location === undefined ? undefined : places.get(location);
  const address = place?.split("/").map(encodeURIComponent).join("/") ?? location;
  const common = {
    ...(basename === undefined ? {} : { basename }),
    ...(address === undefined ? {} : { location: address }),
  };
  const all = (values: readonly FileOrDirectory[]) => values.map((inner) => relativeFile(inner, places));
  if (value.class === "Directory")
    return { class: "Directory", ...common, ...(address === undefined ? { listing: all(value.listing ?? []) } : {}) };
  const { format, contents, secondaryFiles } = value;
  return {
    class: "File",
    ...common,
    ...(format === undefined ? {} : { format }),
    ...(address === undefined ? { contents: contents ?? "" } : {}),
    ...(secondaryFiles === undefined ? {} : { secondaryFiles: all(secondaryFiles) }),
  };
}
