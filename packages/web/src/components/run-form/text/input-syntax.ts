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
  return id === "json" ? (await import("./json-syntax.ts")).jsonSyntax : (await import("./yaml-syntax.ts")).yamlSyntax;
}
