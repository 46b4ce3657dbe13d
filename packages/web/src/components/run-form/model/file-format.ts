import type { FileValue } from "../../../format/value-text.ts";

/** The last part of a format's IRI: `format_4001` of `http://edamontology.org/format_4001`. */
export function formatName(iri: string): string {
  return iri.slice(Math.max(iri.lastIndexOf("/"), iri.lastIndexOf("#")) + 1);
}

/** The format IRIs of an input, without those computed by expressions. */
export function namedFormats(format: readonly string[] = []): readonly string[] {
  return format.filter((iri) => !/^\$[({]/.test(iri));
}

/**
 * Sets the format of a file if the input accepts only one format: the server would refuse a file without it (CWL v1.2
 * CommandLineTool.html#File, `format`).
 */
export function asFormat(file: FileValue, formats: readonly string[] = []): FileValue {
  const [only, ...others] = formats;
  if (file.class !== "File" || file.format !== undefined || only === undefined || others.length > 0) return file;
  return { ...file, format: only };
}

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
