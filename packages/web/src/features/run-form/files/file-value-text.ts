import type { FileValue } from "../../../format/value-text.ts";

/** Typed or pasted text as a File or Directory: a URL is a location, anything else a path. */
export function fileFromText(kind: "File" | "Directory", text: string): FileValue {
  const address = text.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? { class: kind, location: address } : { class: kind, path: address };
}

/** Location of a file, for display. */
export function fileAddress(file: FileValue): string {
  if (file.location !== undefined) return file.location;
  return file.path ?? (file.contents === undefined ? "" : "inline content");
}
