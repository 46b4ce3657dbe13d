import { dump, load, YAMLException } from "js-yaml/browser";
import { isObject } from "../../../format/value-text.ts";
import type { InputSyntax, ReadInputs } from "./input-syntax.ts";

/** The inputs as YAML 1.2, as `weft run DOCUMENT inputs.yml` and other CWL runners take them. */
export const yamlSyntax: InputSyntax = { id: "yaml", label: "YAML", read, write };

/** An input object that names a few things many times is fine; one that unfolds without end is not. */
const LIMITS = { maxAliases: 1000, maxDepth: 100 };

function read(text: string): ReadInputs {
  // No values are an empty object; the parser knows no empty document.
  if (text.split("\n").every((line) => /^\s*(#.*|---\s*)?$/.test(line))) return { values: {} };
  try {
    return toInputs(load(text, LIMITS), text);
  } catch (error) {
    // The parser knows no other way to refuse a text than to throw.
    if (!(error instanceof YAMLException)) throw error;
    const { line = 0, column = 0 } = error.mark ?? {};
    return { fault: `Line ${line + 1}, column ${column + 1}: ${explain(error.reason, text.split("\n")[line] ?? "")}` };
  }
}

function toInputs(value: unknown, text: string): ReadInputs {
  if (!isObject(value)) return { fault: "Line 1, column 1: The inputs are a map: one `name: value` in each line" };
  const unwritable = findUnwritable(text, value);
  return unwritable === undefined ? { values: value } : { fault: unwritable };
}

/** What the parser says, and what to do about it where that is known. */
function explain(reason: string, line: string): string {
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  if (/\t/.test(line)) return `${sentence}; indent with spaces, not with tabs`;
  if (/bad indentation of a mapping/.test(reason) && /:\s.*:(\s|$)/.test(line))
    return `${sentence}; a text with a colon and a space in it needs quotation marks`;
  if (/deficient indentation|unexpected end/.test(reason))
    return `${sentence}; a bracket or a quotation mark before this place is not closed`;
  return sentence;
}

/** JSON, in which the inputs travel, has no infinity and no not-a-number. */
function findUnwritable(text: string, value: unknown): string | undefined {
  if (!holdsUnwritable(value)) return undefined;
  const lines = text.split("\n");
  const line = lines.findIndex((each) => UNWRITABLE.test(each));
  const column = UNWRITABLE.exec(lines[line] ?? "")?.index ?? 0;
  return `Line ${line + 1}, column ${column + 1}: Infinity and not-a-number cannot be sent as inputs`;
}

const UNWRITABLE = /[-+]?\.inf\b|\.nan\b/i;

function holdsUnwritable(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsUnwritable);
}

function write(values: Readonly<Record<string, unknown>>): string {
  return Object.keys(values).length === 0 ? "" : dump(values, { noRefs: true });
}
