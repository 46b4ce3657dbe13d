import { decodeEscapes } from "@weft/shared/text/decode-escapes.ts";
import { TABLE_SOURCES, type TableSource } from "@weft/shared/records/table-record.ts";

/** The source of a table value: an input or output, and the keys within it. */
export interface FieldPlace {
  readonly source: TableSource;
  readonly port: string;
  /** The keys; empty for the value itself. */
  readonly path: readonly string[];
}

/** `output.measures/volume_ml`. Names and keys are percent-encoded, so that an id contains no comma. */
export function fieldId({ source, port, path }: FieldPlace): string {
  return `${source}.${[port, ...path].map(encodeName).join("/")}`;
}

/** Parses the id of a field; undefined for any other string. */
export function parseFieldId(id: string): FieldPlace | undefined {
  const dot = id.indexOf(".");
  const source = TABLE_SOURCES.find((name) => name === id.slice(0, dot));
  if (source === undefined) return undefined;
  const [port, ...path] = id
    .slice(dot + 1)
    .split("/")
    .map(decodeEscapes);
  if (port === undefined || port === "" || path.includes(undefined)) return undefined;
  return { source, port, path: path.filter((key) => key !== undefined) };
}

/** A lone surrogate has no percent-encoding. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

/** Short labels that differ: the key, with its port if several ports have that key. */
export function labelFields(places: readonly FieldPlace[]): readonly string[] {
  const shorts = places.map(({ port, path }) => (path.length === 0 ? port : path.join(".")));
  const longs = places.map(({ port, path }) => [port, ...path].join("."));
  return unique(
    unique(shorts, longs),
    places.map(({ source }, at) => `${longs[at]} (${source})`),
  );
}

/** Replaces names that occur several times with unique ones. */
function unique(texts: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return texts.map((text, at) => ((counts.get(text) ?? 0) > 1 ? (others[at] ?? text) : text));
}
