import type { Diagnostic } from "../diagnostic.ts";

/** A diagnostic about a document that no other document refers to, so it points at the document's own start. */
export function unreadable(file: string): Diagnostic {
  return { severity: "error", code: "unreadable", message: `cannot read ${file}`, file, line: 1, column: 1 };
}
