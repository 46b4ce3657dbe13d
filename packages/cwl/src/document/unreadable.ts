import type { Diagnostic } from "../diagnostic.ts";

/** For a document that nobody refers to: there is no place to point at but its own start. */
export function unreadable(file: string): Diagnostic {
  const message = `nothing readable at ${file}`;
  return { severity: "error", code: "unreadable", message, file, line: 1, column: 1 };
}
