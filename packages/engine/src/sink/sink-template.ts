import { MAX_NAME_BYTES } from "@weft/cwl/model/safe-name.ts";

/**
 * A destination of an output: `vfs://ROOT/…` with `/` between names and fields in braces. ROOT is the name of a folder
 * that the server may write to (`--sink NAME=DIR`).
 */
export interface SinkTemplate {
  readonly root: string;
  /** Literal texts and fields in turn, one list per name. */
  readonly names: readonly (readonly TemplatePart[])[];
}

export type TemplatePart = { readonly text: string } | { readonly field: SinkField };

export const SINK_FIELDS = ["sample_id", "basename", "nameroot", "nameext", "output", "index", "run_id"] as const;
export type SinkField = (typeof SINK_FIELDS)[number];

/** Fields that differ between the elements of a list. */
const OF_ELEMENTS: ReadonlySet<SinkField> = new Set(["sample_id", "basename", "nameroot", "index"]);

/** The template, or half a sentence about what is wrong with it. */
export function parseSinkTemplate(text: string): SinkTemplate | string {
  const [, root, path] = /^vfs:\/\/([^/{}]+)\/(.*)$/s.exec(text) ?? [];
  if (root === undefined || path === undefined) return "is not of the form vfs://ROOT/path";
  const names = path.split("/").map(parseName);
  const wrong = names.find((name) => typeof name === "string");
  if (wrong !== undefined) return wrong;
  return { root, names: names.filter((name) => typeof name !== "string") };
}

function parseName(text: string): readonly TemplatePart[] | string {
  const pieces = text.split(/\{([^{}]*)\}/);
  if (pieces.some((piece, place) => place % 2 === 0 && /[{}]/.test(piece)))
    return `has an unmatched brace in "${text}"`;
  const unknown = pieces.find((piece, place) => place % 2 === 1 && !isField(piece));
  if (unknown !== undefined) return `has the unknown field {${unknown}}`;
  if (pieces.length === 1) {
    const fault = nameFault(text);
    if (fault !== undefined) return fault;
  }
  return pieces.flatMap((piece, place): TemplatePart[] => {
    if (place % 2 === 1) return isField(piece) ? [{ field: piece }] : [];
    return piece === "" ? [] : [{ text: piece }];
  });
}

function isField(text: string): text is SinkField {
  return (SINK_FIELDS as readonly string[]).includes(text);
}

export function fieldsOf({ names }: SinkTemplate): ReadonlySet<SinkField> {
  return new Set(names.flat().flatMap((part) => ("field" in part ? [part.field] : [])));
}

/** Whether the elements of a list can get different destinations. */
export function distinguishesElements(template: SinkTemplate): boolean {
  return [...fieldsOf(template)].some((field) => OF_ELEMENTS.has(field));
}

/** The path relative to the root, or half a sentence that says why it has none. Absent values: `undefined`. */
export function fillTemplate(
  { names }: SinkTemplate,
  values: Readonly<Record<SinkField, string | undefined>>,
): { readonly path: readonly string[] } | string {
  const path: string[] = [];
  for (const parts of names) {
    const missing = parts.find((part) => "field" in part && values[part.field] === undefined);
    if (missing !== undefined && "field" in missing) return `has no {${missing.field}}`;
    const name = parts.map((part) => ("field" in part ? values[part.field] : part.text)).join("");
    const fault = nameFault(name);
    if (fault !== undefined) return fault;
    path.push(name);
  }
  return { path };
}

/** Why a text cannot be a file name. Names from outside must not lead elsewhere. */
export function nameFault(name: string): string | undefined {
  if (name === "") return "has an empty name in its path";
  if (name === "." || name === "..") return `has "${name}" in its path`;
  if (/[/\0-\x1f\x7f]/.test(name)) return `has a slash or control character in the name ${JSON.stringify(name)}`;
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `has a name longer than ${MAX_NAME_BYTES} bytes`;
  return undefined;
}
