// Keeps the prose of a source file at its offsets and blanks all other characters, so that a finding in the masked text
// has the same line and column as in the source.
import { parseSync } from "vite";

/** Prose of a source: its comments, its strings and JSX texts, or the names of its tests and of groups of tests. */
export type Part = "comments" | "texts" | "names" | "subjects";

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Node extends Span {
  readonly type: string;
  readonly value?: unknown;
  /** A text for identifiers, a node for attributes. */
  readonly name?: string | Node;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly arguments?: readonly Node[];
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
  const { program, comments } = parsed(path, source);
  const pieces = part === "comments" ? commentPieces(source, comments) : textPieces(program, part);
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

/** Caches the last source, because its parts are masked one after the other. */
let last: { readonly source: string; readonly program: unknown; readonly comments: readonly Node[] } | undefined;

function parsed(path: string, source: string) {
  if (last?.source !== source) {
    const { program, comments } = parseSync(path, source, {});
    last = { source, program, comments };
  }
  return last;
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

function textPieces(program: unknown, part: Part): Piece[] {
  const pieces: Piece[] = [];
  const add = (node: Node): void => {
    if (node.type === "Literal" && typeof node.value === "string") pieces.push(inside(node));
    if (node.type === "TemplateLiteral") pieces.push({ ...inside(node), code: node.expressions ?? [] });
  };
  visit(program, (node) => {
    const [name] = node.arguments ?? [];
    if (part === "texts") add(node);
    else if (name !== undefined && partOfCall(node.callee) === part) add(name);
    if (part === "texts" && node.type === "JSXText") pieces.push(node);
  });
  return pieces;
}

/** `test("…")`, `it("…")`, `t.test("…")` and `test.describe("…")`; `/x/.test(…)` is a call of another kind. */
function partOfCall(callee: Node | undefined): Part | undefined {
  const owner = callee?.object?.name ?? callee?.name;
  const method = callee?.property?.name ?? callee?.name;
  if (!/^(test|it|describe|t|context)$/.test(String(owner))) return undefined;
  if (method === "describe") return "subjects";
  return method === "test" || method === "it" ? "names" : undefined;
}

/** The span without the quotation marks. */
function inside({ start, end }: Span): Span {
  return { start: start + 1, end: end - 1 };
}

/** Visits all nodes, parents first, except imports, types and attributes for machines. */
function visit(value: unknown, found: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const node = value as Node; // all nodes of the parser have these fields
  if (/^(Import|ExportAll|TS(Type|Interface|Literal))/.test(node.type)) return;
  if (node.type === "JSXAttribute" && typeof node.name === "object" && MACHINE_ATTRIBUTES.has(String(node.name.name)))
    return;
  found(node);
  for (const child of Object.values(node)) if (typeof child === "object") visit(child, found);
}
