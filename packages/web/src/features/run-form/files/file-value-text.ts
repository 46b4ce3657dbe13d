import type { FileValue } from "../../../format/value-text.ts";

/** What was typed or pasted as a File or Directory: an address with a scheme is a location, anything else a path. */
export function fileFromText(kind: "File" | "Directory", text: string): FileValue {
  const address = text.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? { class: kind, location: address } : { class: kind, path: address };
}

/** Where a file stands, for people. */
export function fileAddress(file: FileValue): string {
  if (file.location !== undefined) return file.location;
  return file.path ?? (file.contents === undefined ? "" : "written out in the inputs");
}
