import type { Fields } from "./read-bids-name.ts";

/** A pattern such as `{sample}/{session}_R{read}.fastq.gz`, or what is wrong with it. */
export type ReadPattern = { readonly pattern: FilePattern } | { readonly fault: string };

/** `**` and the pieces of the other names. */
type Segment = "**" | readonly Piece[];
type Piece = { readonly text: string } | { readonly field: string } | { readonly any: true };

const MAX_FIELDS = 20;

export function readPattern(text: string): ReadPattern {
  const segments: Segment[] = [];
  for (const name of text.replace(/^\.?\//, "").split("/")) {
    if (name === "") return { fault: "the pattern has an empty name between two slashes" };
    if (name === "..") return { fault: "the pattern cannot lead out of the folder" };
    const segment = name === "**" ? "**" : readSegment(name);
    if (typeof segment === "string" && segment !== "**") return { fault: segment };
    segments.push(segment);
  }
  const fields = [...new Set(segments.flatMap((segment) => (segment === "**" ? [] : segment.flatMap(fieldsOf))))];
  if (fields.length === 0) return { fault: "the pattern has no field such as {sample}" };
  if (fields.length > MAX_FIELDS) return { fault: `the pattern has more than ${MAX_FIELDS} fields` };
  if (segments.filter((segment) => segment === "**").length > 1) return { fault: "the pattern can have ** once" };
  return { pattern: new FilePattern(segments, fields) };
}

function fieldsOf(piece: Piece): string[] {
  return "field" in piece ? [piece.field] : [];
}

function readSegment(name: string): readonly Piece[] | string {
  const pieces: Piece[] = [];
  for (const [token] of name.matchAll(/\{[^{}]*\}|\*|[^{}*]+|[{}]/g)) {
    if (token === "{" || token === "}") return `"${name}" has a single ${token}`;
    const isOpen = token === "*" || token.startsWith("{");
    const last = pieces.at(-1);
    if (isOpen && last !== undefined && !("text" in last)) return `"${name}" needs a text between two fields`;
    if (token === "*") pieces.push({ any: true });
    else if (!token.startsWith("{")) pieces.push({ text: token });
    else {
      const field = token.slice(1, -1);
      if (!/^[a-z][a-z0-9_]{0,39}$/i.test(field) || RESERVED.has(field)) return `"${token}" is not a valid field name`;
      pieces.push({ field });
    }
  }
  return pieces;
}

const RESERVED = new Set(["path", "extension", "json", "constructor"]);

/** Reads fields from paths. A field ends as late as the text after it allows: `{sample}_{read}.fq` reads `a_b_1.fq` as `a_b` and `1`. */
export class FilePattern {
  readonly #segments: readonly Segment[];
  /** In the order of the pattern. */
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

/** Where an open piece begins that ends at `end`: after the last occurrence of the text before it. */
function startOf(before: Piece | undefined, name: string, end: number): number | undefined {
  if (before === undefined || !("text" in before)) return 0;
  const at = name.lastIndexOf(before.text, end - 1 - before.text.length);
  return at === -1 ? undefined : at + before.text.length;
}

/** A field that occurs twice must have one value. */
function isAssigned(fields: Record<string, string>, field: string, value: string): boolean {
  if (Object.hasOwn(fields, field) && fields[field] !== value) return false;
  fields[field] = value;
  return true;
}
