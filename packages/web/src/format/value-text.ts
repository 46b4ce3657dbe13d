import { numberText } from "@weft/shared/text/count-text.ts";

/** A CWL File or Directory in an input or output object. */
export interface FileValue {
  readonly class: "File" | "Directory";
  readonly location?: string | undefined;
  readonly path?: string | undefined;
  readonly basename?: string | undefined;
  readonly size?: number | undefined;
  readonly checksum?: string | undefined;
  readonly format?: string | undefined;
  readonly contents?: string | undefined;
  readonly secondaryFiles?: readonly FileValue[] | undefined;
  readonly listing?: readonly FileValue[] | undefined;
}

/** True for a CWL File or Directory object (CWL v1.2 CommandLineTool.html#File). */
export function isFileValue(value: unknown): value is FileValue {
  return isObject(value) && (value["class"] === "File" || value["class"] === "Directory");
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The name of a file: its basename, else the last part of its location. */
export function fileName(file: FileValue): string {
  if (file.basename !== undefined) return file.basename;
  const address = (file.location ?? file.path ?? "").replace(/\/+$/, "");
  const last = address.slice(address.lastIndexOf("/") + 1);
  if (last === "") return file.class === "File" ? "a file" : "a folder";
  return decodeText(last);
}

const SHOWN_FOLDERS = 4;

/** The end of the path of a file's folder, which distinguishes files of one name; "" for content without a place. */
export function folderText(file: FileValue): string {
  const address = decodeText((file.location ?? file.path ?? "").replace(/^[\w+.-]+:\/\//, "").replace(/\/+$/, ""));
  if (address.startsWith("data:") || address.startsWith("_:")) return "";
  const folders = address.split("/").slice(0, -1);
  return folders.length - (folders[0] === "" ? 1 : 0) > SHOWN_FOLDERS
    ? `…/${folders.slice(-SHOWN_FOLDERS).join("/")}`
    : folders.join("/");
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // invalid escape: not URL-encoded
  }
}

/** A value on one line, for tables: names of files, the first entries of lists. */
export function valueText(value: unknown, shown = 3): string {
  if (value === null || value === undefined) return "not set";
  if (typeof value === "string") return value;
  if (isFileValue(value)) return fileName(value);
  if (Array.isArray(value)) return listText(value, shown);
  if (isObject(value))
    return Object.entries(value)
      .map(([key, field]) => `${key}: ${valueText(field, shown)}`)
      .join(", ");
  return String(value);
}

function listText(values: readonly unknown[], shown: number): string {
  if (values.length === 0) return "empty list";
  const first = values.slice(0, shown).map((value) => valueText(value, shown));
  return values.length > shown ? `${first.join(", ")} and ${numberText(values.length - shown)} more` : first.join(", ");
}
