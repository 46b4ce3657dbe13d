import type { Diagnostic } from "../diagnostic.ts";

/** What to do about an address that could not be read; undefined for a file that is simply missing. */
export function unreadableHint(uri: string): string | undefined {
  if (uri.startsWith("file:")) return undefined;
  return "Weft does not download documents; put a copy next to this one and refer to that";
}

/** For a document that no other document refers to: the only place to point at is its own start. */
export function unreadable(file: string): Diagnostic {
  const message = `nothing readable at ${file}`;
  return { severity: "error", code: "unreadable", message, file, line: 1, column: 1 };
}
