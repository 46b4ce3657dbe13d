import type { FileValue } from "../../../format/value-text.ts";

/** The last part of a format's IRI: `format_4001` of `http://edamontology.org/format_4001`. */
export function formatName(iri: string): string {
  return iri.slice(Math.max(iri.lastIndexOf("/"), iri.lastIndexOf("#")) + 1);
}

/** The formats that an input names; one that an expression would name is not known here. */
export function namedFormats(format: readonly string[] = []): readonly string[] {
  return format.filter((iri) => !/^\$[({]/.test(iri));
}

/**
 * A file as it goes into an input that wants one of these formats. Choosing a file for an input with a single format says
 * that it is of that format: an input object without it would be refused (CWL v1.2 CommandLineTool.html#File, `format`).
 */
export function asFormat(file: FileValue, formats: readonly string[] = []): FileValue {
  const [only, ...others] = formats;
  if (file.class !== "File" || file.format !== undefined || only === undefined || others.length > 0) return file;
  return { ...file, format: only };
}
