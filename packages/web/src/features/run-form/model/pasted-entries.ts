import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { parseNumber } from "./parse-number.ts";

/**
 * Entries of a list from pasted text: one per line or cell of a spreadsheet; numbers may also stand between commas.
 * Undefined where the text is a single entry, or entries of this type cannot be written as text.
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

/** How one entry is read from text, where it can be written as text. What is none of the type stays text, and is refused at its place when the form is sent. */
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
