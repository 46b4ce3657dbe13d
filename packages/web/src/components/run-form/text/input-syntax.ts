import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { locateJsonError } from "@weft/shared/json/locate-json-error.ts";
import { isObject } from "../../../format/value-text.ts";
import type { InputValues } from "../model/form-store.ts";

export type SyntaxId = "json" | "yaml";

/** The parsed values, or the syntax error with line and column. */
export type ReadInputs =
  | { readonly values: InputValues; readonly fault?: undefined }
  | { readonly values?: undefined; readonly fault: string };

/** A text format for input objects. `read(write(values))` gives the same values. */
export interface InputSyntax {
  readonly id: SyntaxId;
  readonly label: string;
  readonly read: (text: string) => ReadInputs;
  readonly write: (values: InputValues) => string;
}

/** The typed text, and the values of the form at that time. The text is valid until the values change. */
export interface TextDraft {
  readonly syntax: SyntaxId;
  readonly text: string;
  readonly values: InputValues;
  /** The syntax error. */
  readonly fault: string | undefined;
}

/** The syntax for a file name: JSON by its extension, else YAML. */
export function syntaxOfFile(name: string): SyntaxId {
  return /\.json$/i.test(name) ? "json" : "yaml";
}

/** Loads YAML on demand: its library is as large as the rest of the form. */
export async function loadSyntax(id: SyntaxId): Promise<InputSyntax> {
  return id === "json" ? jsonSyntax : (await import("./yaml-syntax.ts")).yamlSyntax;
}

/** The inputs as a JSON object, in the format of POST /api/runs. */
export const jsonSyntax: InputSyntax = {
  id: "json",
  label: "JSON",
  read,
  write: (values) => `${JSON.stringify(values, null, 2)}\n`,
};

function read(text: string): ReadInputs {
  const fault = locateJsonError(text);
  if (fault !== undefined) return { fault: `Line ${fault.line}, column ${fault.column}: expected ${fault.expected}` };
  const values = parseExactJson(text);
  return isObject(values) ? { values } : { fault: "Line 1, column 1: Inputs must be an object: { … }" };
}
