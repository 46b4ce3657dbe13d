import { MAX_NAME_BYTES } from "@weft/cwl/model/safe-name.ts";
import { fieldsOf, fillTemplate, parseTemplate, type NameTemplate } from "@weft/shared/text/name-template.ts";

/**
 * A destination of an output: `vfs://ROOT/…` with `/` between names and fields in braces. ROOT is the name of a folder
 * that the server may write to (`--sink NAME=DIR`).
 */
export interface SinkTemplate {
  readonly root: string;
  readonly names: readonly NameTemplate<SinkField>[];
}

export const SINK_FIELDS = ["sample_id", "basename", "nameroot", "nameext", "output", "index", "run_id"] as const;
export type SinkField = (typeof SINK_FIELDS)[number];

/** Fields that differ between the elements of a list. */
const OF_ELEMENTS: ReadonlySet<SinkField> = new Set(["sample_id", "basename", "nameroot", "index"]);

/** Parses a template; for an invalid one, returns the problem as the end of a sentence. */
export function parseSinkTemplate(text: string): SinkTemplate | string {
  const [, root, path] = /^vfs:\/\/([^/{}]+)\/(.*)$/s.exec(text) ?? [];
  if (root === undefined || path === undefined) return "is not of the form vfs://ROOT/path";
  const names = path.split("/").map(parseName);
  const wrong = names.find((name) => typeof name === "string");
  if (wrong !== undefined) return wrong;
  return { root, names: names.filter((name) => typeof name !== "string") };
}

function parseName(text: string): NameTemplate<SinkField> | string {
  const parts = parseTemplate(text, isField);
  return typeof parts === "string" || fieldsOf(parts).length > 0 ? parts : (nameFault(text) ?? parts);
}

function isField(text: string): text is SinkField {
  return (SINK_FIELDS as readonly string[]).includes(text);
}

/** True if the elements of a list can get different destinations. */
export function distinguishesElements(template: SinkTemplate): boolean {
  return fieldsOf(template.names.flat()).some((field) => OF_ELEMENTS.has(field));
}

/** The path relative to the root; or the reason why it has none, as the end of a sentence. Absent: `undefined`. */
export function fillSinkTemplate(
  { names }: SinkTemplate,
  values: Readonly<Record<SinkField, string | undefined>>,
): { readonly path: readonly string[] } | string {
  const path: string[] = [];
  for (const parts of names) {
    const filled = fillTemplate(parts, values);
    if (typeof filled === "string") return filled;
    const fault = nameFault(filled.name);
    if (fault !== undefined) return fault;
    path.push(filled.name);
  }
  return { path };
}

/**
 * The reason why a string cannot be a file name; undefined if it can. Names from outside must not lead to another
 * folder.
 */
export function nameFault(name: string): string | undefined {
  if (name === "") return "has an empty name in its path";
  if (name === "." || name === "..") return `has "${name}" in its path`;
  if (/[/\0-\x1f\x7f]/.test(name)) return `has a slash or control character in the name ${JSON.stringify(name)}`;
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `has a name longer than ${MAX_NAME_BYTES} bytes`;
  return undefined;
}
