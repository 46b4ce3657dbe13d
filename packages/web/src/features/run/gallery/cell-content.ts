import { countText } from "@weft/shared/text/count-text.ts";
import { measureText } from "../../../format/measure-text.ts";
import { fileName, isFileValue, isObject, valueText, type FileValue } from "../../../format/value-text.ts";

/** The kind of a result, which determines its tile. */
type CellContent =
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly file: FileValue }
  | { readonly kind: "files"; readonly files: readonly FileValue[]; readonly text: string }
  | { readonly kind: "number"; readonly text: string; readonly full: string }
  | { readonly kind: "numbers"; readonly numbers: readonly number[] }
  | { readonly kind: "text"; readonly text: string };

export function contentOf(value: unknown): CellContent {
  if (value === null || value === undefined) return { kind: "none" };
  if (isFileValue(value)) return value.class === "File" ? { kind: "file", file: value } : folderContent(value);
  if (typeof value === "number") return { kind: "number", text: measureText(value), full: String(value) };
  if (typeof value === "bigint") return { kind: "number", text: String(value), full: String(value) };
  if (Array.isArray(value)) return listContent(value);
  if (isObject(value)) return { kind: "text", text: fieldLines(value) };
  return { kind: "text", text: valueText(value) };
}

function folderContent(folder: FileValue): CellContent {
  const files = folder.listing ?? [];
  return { kind: "files", files, text: `${fileName(folder)}/` };
}

function listContent(values: readonly unknown[]): CellContent {
  if (values.length === 0) return { kind: "text", text: "empty list" };
  const files = values.filter(isFileValue);
  const [first] = files;
  if (first !== undefined && files.length === values.length)
    return files.length === 1 && first.class === "File"
      ? { kind: "file", file: first }
      : { kind: "files", files, text: countText(files.length, "file") };
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length === values.length) return { kind: "numbers", numbers };
  return { kind: "text", text: values.map((value) => valueText(value)).join("\n") };
}

function fieldLines(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .map(([name, field]) => `${name}: ${valueText(field)}`)
    .join("\n");
}

/** One line that summarizes a result: the name of a file, or the value itself. */
export function contentText(value: unknown): string {
  const content = contentOf(value);
  switch (content.kind) {
    case "none":
      return "not set";
    case "file":
      return fileName(content.file);
    case "files":
      return content.text;
    case "number":
      return content.text;
    case "numbers":
      return countText(content.numbers.length, "number");
    default:
      return valueText(value);
  }
}

/** Heights between 0 and 1 for a line chart of numbers; flat for one value. */
export function sparkPoints(numbers: readonly number[]): readonly number[] {
  const finite = numbers.filter(Number.isFinite);
  const low = finite.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = finite.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  return finite.map((value) => (high > low ? (value - low) / (high - low) : 0.5));
}
