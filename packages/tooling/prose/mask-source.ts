// The prose of a source file, at the offsets that it has there: all other characters are blank. So a finding in the
// masked text has the line and column of the source.
import { parseSync } from "vite";

/** Which prose of a source: its comments, or the strings and JSX texts in it. */
export type Part = "comments" | "texts";

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Node extends Span {
  readonly type: string;
  readonly value?: unknown;
  readonly name?: { readonly name?: unknown };
  readonly expressions?: readonly Node[];
}

/** `code`: the expressions in the `${…}` of a template. */
interface Piece extends Span {
  readonly code?: readonly Span[];
}

/** Attributes whose values are never prose. */
const MACHINE_ATTRIBUTES = new Set(["className", "d", "id", "key", "to", "href", "rel", "style", "type", "viewBox"]);

/**
 * Each piece of prose becomes one line: line breaks inside it become spaces, its delimiters become line breaks. Code in
 * backticks and in `${…}` becomes underscores.
 */
export function maskSource(path: string, source: string, part: Part): string {
  const { program, comments } = parseSync(path, source, {});
  const pieces = part === "comments" ? commentPieces(source, comments) : textPieces(program);
  const masked = Array.from({ length: source.length }, () => " ");
  for (const { start, end, code = [] } of pieces) {
    const text = hideCode(joinLines(source.slice(start, end)));
    if (start > 0) masked[start - 1] = "\n";
    for (let at = 0; at < text.length; at++) masked[start + at] = text.charAt(at);
    for (const hidden of code) masked.fill("_", hidden.start - 2, hidden.end + 1);
    if (end < source.length) masked[end] = "\n";
  }
  return masked.join("");
}

/** Replaces line breaks, and the asterisks or slashes at the start of comment lines, by as many spaces. */
function joinLines(text: string): string {
  return text.replace(/\n[ \t]*(\*(?!\/)|\/\/)?/g, (start) => " ".repeat(start.length)).replaceAll("\\n", "  ");
}

function hideCode(text: string): string {
  return text.replace(/`[^`]*`/g, (code) => "_".repeat(code.length));
}

/** Line comments on consecutive lines are one piece. */
function commentPieces(source: string, comments: readonly Node[]): Piece[] {
  const pieces: { start: number; end: number; isLine: boolean }[] = [];
  for (const { type, start, end } of comments) {
    const last = pieces.at(-1);
    const isLine = type === "Line";
    if (isLine && last?.isLine === true && /^\n[ \t]*$/.test(source.slice(last.end, start))) last.end = end;
    else if (!/^.{2}\s*(oxlint-|@|eslint-)/.test(source.slice(start, end)))
      pieces.push({ start: source[start + 2] === "*" ? start + 3 : start + 2, end: isLine ? end : end - 2, isLine });
  }
  return pieces;
}

function textPieces(program: unknown): Piece[] {
  const pieces: Piece[] = [];
  visit(program, (node) => {
    if (node.type === "JSXText") pieces.push(node);
    if (node.type === "Literal" && typeof node.value === "string") pieces.push(inside(node));
    if (node.type === "TemplateLiteral") pieces.push({ ...inside(node), code: node.expressions ?? [] });
  });
  return pieces;
}

/** Without the quotation marks. */
function inside({ start, end }: Span): Span {
  return { start: start + 1, end: end - 1 };
}

/** Visits all nodes, parents first, except imports, types and attributes for machines. */
function visit(value: unknown, found: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const node = value as Node; // all nodes of the parser have these fields
  if (/^(Import|ExportAll|TS(Type|Interface|Literal))/.test(node.type)) return;
  if (node.type === "JSXAttribute" && MACHINE_ATTRIBUTES.has(String(node.name?.name))) return;
  found(node);
  for (const child of Object.values(node)) if (typeof child === "object") visit(child, found);
}
