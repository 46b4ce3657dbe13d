import type { CwlObject, CwlValue, DirectoryValue, FileOrDirectory, FileValue } from "../model/cwl-value.ts";

/** A value with named fields: record, File or Directory. */
export function isObject(value: CwlValue | undefined): value is CwlObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: CwlValue | undefined): value is readonly CwlValue[] {
  return Array.isArray(value);
}

export function isFile(value: CwlValue | undefined): value is FileValue {
  return isObject(value) && value["class"] === "File";
}

export function isDirectory(value: CwlValue | undefined): value is DirectoryValue {
  return isObject(value) && value["class"] === "Directory";
}

export function isFileOrDirectory(value: CwlValue | undefined): value is FileOrDirectory {
  return isFile(value) || isDirectory(value);
}

/** An object that is neither File nor Directory. */
export function isRecord(value: CwlValue | undefined): value is CwlObject {
  return isObject(value) && !isFileOrDirectory(value);
}

/** An own field of the object: names in documents may be `constructor` or `toString`. */
export function fieldOf(object: CwlObject, name: string): CwlValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Description of a value in one or two words for messages: `a string`, `null`, `an array`. */
export function kindText(value: CwlValue): string {
  if (value === null) return "null";
  if (isArray(value)) return "an array";
  if (isFileOrDirectory(value)) return `a ${value.class}`;
  if (typeof value === "object") return "an object";
  return typeof value === "number" || typeof value === "bigint" ? `the number ${value}` : `a ${typeof value}`;
}
