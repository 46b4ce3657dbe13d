// The lengths of functions, and which of them are tables: long because of their many rows, not because of their logic.
import { parseAst } from "vite";

export interface FoundFunction {
  readonly name: string;
  readonly path: string;
  readonly lines: number;
  readonly isTable: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name?: string } | null;
  readonly key?: { readonly name?: string };
  readonly body?: Node | readonly Node[];
  readonly argument?: Node;
  readonly expression?: Node;
  readonly properties?: readonly Node[];
  readonly elements?: readonly (Node | null)[];
  readonly cases?: readonly Node[];
  readonly consequent?: readonly Node[];
}

/** Limit for the lines of one row of a table. */
const MAX_ROW_LINES = 20;

/** Limit for the lines of a table around its rows: the signature, a few names, the brackets. */
const MAX_FRAME_LINES = 8;

/** All functions and methods of a source, also those inside others. */
export function functionsOf(path: string, text: string): FoundFunction[] {
  const found: FoundFunction[] = [];
  const visit = (node: unknown, name: string): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, name);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const visited = node as Node; // the parser's nodes all have these fields
    const own = visited.id?.name ?? visited.key?.name ?? name;
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(visited.type))
      found.push({ name: own, path, lines: linesOf(visited, text), isTable: isTable(visited, text) });
    for (const value of Object.values(node)) if (typeof value === "object") visit(value, own);
  };
  visit(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }).body, "");
  return found;
}

/**
 * A function is a table if its last statement returns one object or array literal, or is one `switch` whose cases all
 * return; if no row of it (member, element, case) takes more than 20 lines; and if the lines before the first row and
 * after the last are at most 8. So neither a long step nor steps before the rows can hide in a table.
 */
function isTable(node: Node, text: string): boolean {
  const rows = rowsOf(node) ?? [];
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return false;
  const frame = linesOf(node, text) - linesOf({ start: first.start, end: last.end }, text);
  return rows.every((row) => linesOf(row, text) <= MAX_ROW_LINES) && frame <= MAX_FRAME_LINES;
}

function rowsOf({ body }: Node): readonly Node[] | undefined {
  const last = lastStatement(body);
  if (last?.type === "SwitchStatement") return (last.cases ?? []).every(returns) ? last.cases : undefined;
  const literal = unwrapped(last?.type === "ReturnStatement" ? last.argument : last);
  if (literal?.type === "ObjectExpression") return literal.properties;
  if (literal?.type === "ArrayExpression") return (literal.elements ?? []).filter((element) => element !== null);
  return undefined;
}

/** The last statement of a body, or the expression that an arrow function is. */
function lastStatement(body: Node["body"]): Node | undefined {
  if (body === undefined || Array.isArray(body)) return undefined;
  const single = body as Node; // `isArray` does not exclude a readonly array
  return single.type === "BlockStatement" && Array.isArray(single.body) ? single.body.at(-1) : single;
}

/** The expression without the parentheses and types around it. */
function unwrapped(node: Node | undefined): Node | undefined {
  const isWrapper = /^(ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression)$/.test(node?.type ?? "");
  return isWrapper ? unwrapped(node?.expression) : node;
}

/** A case without statements shares those of the next one. */
function returns({ consequent = [] }: Node): boolean {
  return consequent.length === 0 || consequent.at(-1)?.type === "ReturnStatement";
}

function linesOf({ start, end }: Pick<Node, "start" | "end">, text: string): number {
  return text.slice(start, end).split("\n").length;
}
