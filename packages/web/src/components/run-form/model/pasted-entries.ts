import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { parseNumber } from "./check-value.ts";

/**
 * Entries of a list from pasted text: one per line or spreadsheet cell; numbers may also be separated by commas.
 * Undefined if the text is a single entry, or entries of this type cannot be written as text.
 */
export function pastedEntries(items: CwlTypeRecord, text: string): readonly unknown[] | undefined {
  const read = entryReader(items);
  if (read === undefined) return undefined;
  const between = items.kind === "string" || items.kind === "enum" ? /\r?\n|\t/ : /\r?\n|[\t,;]/;
  const parts = text
    .replace(/(\r?\n)+$/, "")
    .split(between)
    .map((part) => part.trim());
  return parts.length < 2 ? undefined : parts.map(read);
}

/**
 * Parser for one entry, if its type can be written as text. Invalid text stays text, and the form refuses it on
 * submission.
 */
export function entryReader(type: CwlTypeRecord): ((part: string) => unknown) | undefined {
  switch (type.kind) {
    case "string":
    case "enum":
      return (part) => part;
    case "int":
    case "long":
    case "float":
    case "double":
      return parseNumber;
    case "boolean":
      return (part) => (/^(true|yes)$/i.test(part) ? true : /^(false|no)$/i.test(part) ? false : part);
    default:
      return undefined;
  }
}
