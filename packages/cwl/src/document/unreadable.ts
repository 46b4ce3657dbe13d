import type { Diagnostic } from "../diagnostic.ts";

/** What to do about an address that could not be read; nothing to say of a file that is simply not there. */
export function unreadableHint(uri: string): string | undefined {
  if (uri.startsWith("file:")) return undefined;
  return "Weft does not download documents; put a copy next to this one and refer to that";
}

/** For a document that nobody refers to: there is no place to point at but its own start. */
export function unreadable(file: string): Diagnostic {
  const message = `nothing readable at ${file}`;
  return { severity: "error", code: "unreadable", message, file, line: 1, column: 1 };
}
