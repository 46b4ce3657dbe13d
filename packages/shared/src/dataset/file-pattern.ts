import { fieldsOf, parseTemplate, type NamePart } from "../text/name-template.ts";
import type { Fields } from "./read-bids-name.ts";

/** `**` and the pieces of the other names. */
type Segment = "**" | readonly Piece[];
type Piece = NamePart | { readonly any: true };

const MAX_FIELDS = 20;

/** A pattern such as `{sample}/{session}_R{read}.fastq.gz`; for an invalid one, the fault as the end of a sentence. */
export function readPattern(text: string): FilePattern | string {
  const segments: Segment[] = [];
  const fields = new Set<string>();
  for (const name of text.replace(/^\.?\//, "").split("/")) {
    if (name === "") return "has an empty name between two slashes";
    if (name === "..") return "cannot lead out of the folder";
    const parts = name === "**" ? [] : parseTemplate(name, isField);
    if (typeof parts === "string") return parts;
    for (const field of fieldsOf(parts)) fields.add(field);
    const pieces = parts.flatMap(piecesOf);
    if (pieces.some((piece, at) => isOpen(piece) && isOpen(pieces[at - 1])))
      return `needs a text between two fields in "${name}"`;
    segments.push(name === "**" ? name : pieces);
  }
  if (fields.size === 0) return "has no field such as {sample}";
  if (fields.size > MAX_FIELDS) return `has more than ${MAX_FIELDS} fields`;
  if (segments.filter((segment) => segment === "**").length > 1) return "can have ** once";
  return new FilePattern(segments, [...fields]);
}

function piecesOf(part: NamePart): Piece[] {
  if ("field" in part) return [part];
  const texts = part.text.split(/(\*)/).filter((text) => text !== "");
  return texts.map((text) => (text === "*" ? { any: true } : { text }));
}

function isOpen(piece: Piece | undefined): boolean {
  return piece !== undefined && !("text" in piece);
}

const RESERVED = new Set(["path", "extension", "json", "constructor"]);

function isField(name: string): name is string {
  return /^[a-z][a-z0-9_]{0,39}$/i.test(name) && !RESERVED.has(name);
}

/** Reads fields from paths. Fields end as late as possible: `{sample}_{read}.fq` reads `a_b_1.fq` as `a_b` and `1`. */
export class FilePattern {
  readonly #segments: readonly Segment[];
  /** Fields in the order of the pattern. */
  readonly fields: readonly string[];

  constructor(segments: readonly Segment[], fields: readonly string[]) {
    this.#segments = segments;
    this.fields = fields;
  }

  /** Undefined if the path does not match. */
  match(path: string): Fields | undefined {
    const names = path.split("/");
    const anyAt = this.#segments.indexOf("**");
    const fixed = anyAt === -1 ? this.#segments.length : this.#segments.length - 1;
    if (anyAt === -1 ? names.length !== fixed : names.length < fixed) return undefined;
    const fields: Record<string, string> = {};
    const after = anyAt === -1 ? 0 : this.#segments.length - anyAt - 1;
    for (const [index, segment] of this.#segments.entries()) {
      if (segment === "**") continue;
      const at = anyAt === -1 || index < anyAt ? index : names.length - after + (index - anyAt - 1);
      if (!readInto(fields, segment, names[at] ?? "")) return undefined;
    }
    const last = names.at(-1) ?? "";
    const dot = last.indexOf(".", 1);
    return { ...fields, extension: dot === -1 ? "" : last.slice(dot) };
  }
}

/** Matches pieces from the end of the name to its beginning, without going back. */
function readInto(fields: Record<string, string>, pieces: readonly Piece[], name: string): boolean {
  let end = name.length;
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index];
    if (piece === undefined) return false;
    if ("text" in piece) {
      if (!name.slice(0, end).endsWith(piece.text)) return false;
      end -= piece.text.length;
      continue;
    }
    const start = startOf(pieces[index - 1], name, end);
    if (start === undefined || start >= end) return false;
    if ("field" in piece && !isAssigned(fields, piece.field, name.slice(start, end))) return false;
    end = start;
  }
  return end === 0;
}

/** The start of an open piece that ends at `end`: after the last occurrence of the text before it. */
function startOf(before: Piece | undefined, name: string, end: number): number | undefined {
  if (before === undefined || !("text" in before)) return 0;
  const at = name.lastIndexOf(before.text, end - 1 - before.text.length);
  return at === -1 ? undefined : at + before.text.length;
}

/** Assigns a field; false if it occurs twice with different values. */
function isAssigned(fields: Record<string, string>, field: string, value: string): boolean {
  if (Object.hasOwn(fields, field) && fields[field] !== value) return false;
  fields[field] = value;
  return true;
}
