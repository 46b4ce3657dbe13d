import type { InputValues } from "../model/form-store.ts";

export type SyntaxId = "json" | "yaml";

/** The values that a text spells, or why it spells none, with line and column. */
export type ReadInputs =
  | { readonly values: InputValues; readonly fault?: undefined }
  | { readonly values?: undefined; readonly fault: string };

/** A way to write an input object as text. `read(write(values))` gives the same values. */
export interface InputSyntax {
  readonly id: SyntaxId;
  readonly label: string;
  readonly read: (text: string) => ReadInputs;
  readonly write: (values: InputValues) => string;
}

/** Text as it was typed, and the values of the form at that moment: it counts until the values are others. */
export interface TextDraft {
  readonly syntax: SyntaxId;
  readonly text: string;
  readonly values: InputValues;
  /** Why the text cannot be read. */
  readonly fault: string | undefined;
}

/** The syntax that the name of a file speaks of: JSON by its end, else YAML. */
export function syntaxOfFile(name: string): SyntaxId {
  return /\.json$/i.test(name) ? "json" : "yaml";
}

/** YAML is read only when it is needed: its library is as large as the rest of the form. */
export async function loadSyntax(id: SyntaxId): Promise<InputSyntax> {
  return id === "json" ? (await import("./json-syntax.ts")).jsonSyntax : (await import("./yaml-syntax.ts")).yamlSyntax;
}
