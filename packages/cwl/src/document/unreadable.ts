import type { Diagnostic } from "../diagnostic.ts";

/** For a document that no other document refers to: the only place to point at is its own start. */
export function unreadable(file: string): Diagnostic {
  const message = `nothing readable at ${file}`;
  return { severity: "error", code: "unreadable", message, file, line: 1, column: 1 };
}
