import { parseYaml } from "@weft/cwl/document/yaml/parse-yaml.ts";
import { SourceText } from "@weft/cwl/document/yaml/source-text.ts";
import type { ScalarNode, YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";

/**
 * Formats a YAML text: two spaces for each level, no trailing spaces, at most one empty line in a row, and one line break at
 * the end. Keeps comments and the order. Returns the text unchanged if it is not YAML or formatting would change its meaning.
 */
export function formatDocument(text: string): string {
  const { root, diagnostics } = parseYaml(new SourceText("file:///document", text));
  if (root === undefined || diagnostics.some(({ severity }) => severity === "error")) return text;
  const formatted = formatLines(text, fixedLines(root, text));
  const again = parseYaml(new SourceText("file:///document", formatted));
  const isSame = again.root !== undefined && outline(again.root) === outline(root);
  return isSame ? formatted : text;
}

function outline(node: YamlNode): string {
  return JSON.stringify(node, (key, value: unknown) =>
    ["source", "offset", "end", "keyNode"].includes(key) ? undefined : value,
  );
}

/** For each line that continues a scalar of several lines, the line on which the scalar begins. */
function fixedLines(root: YamlNode, text: string): ReadonlyMap<number, number> {
  const fixed = new Map<number, number>();
  const add = (node: ScalarNode) => {
    const isBlock = isBlockText(node, text);
    const start = node.source.positionAt(node.offset).line - 1 - (isBlock ? 1 : 0);
    const end = node.source.positionAt(Math.max(node.offset, node.end - (isBlock ? 1 : 0))).line - 1;
    for (let line = start + 1; line <= end; line++) fixed.set(line, start);
  };
  const visit = (node: YamlNode): void => {
    if (node.kind === "scalar") add(node);
    else if (node.kind === "sequence") for (const item of node.items) visit(item);
    else
      for (const { keyNode, value } of node.entries) {
        visit(keyNode);
        visit(value);
      }
  };
  visit(root);
  return fixed;
}

/** The content of a block scalar begins on the line after its `|` or `>`. */
function isBlockText({ offset }: ScalarNode, text: string): boolean {
  const line = text.lastIndexOf("\n", offset - 1);
  const before = text.slice(line + 1, offset);
  const header = text.slice(text.lastIndexOf("\n", line - 1) + 1, Math.max(line, 0));
  return before.trim() === "" && /[|>][-+0-9]*\s*(#.*)?$/.test(header.trimEnd());
}

interface Level {
  readonly from: number;
  readonly to: number;
}

function formatLines(text: string, fixed: ReadonlyMap<number, number>): string {
  const lines = text.split(/\r\n|\n|\r/);
  const indent = indents(lines, fixed);
  const shifted = lines.map((line, number) => {
    const owner = fixed.get(number);
    if (owner !== undefined) return shiftContinuation(line, indent[owner] ?? { from: 0, to: 0 });
    const { from, to } = indent[number] ?? { from: 0, to: 0 };
    return (" ".repeat(to) + normalDash(line.slice(from))).trimEnd();
  });
  const kept = shifted.filter(
    (line, number) => line !== "" || fixed.has(number) || (number > 0 && shifted[number - 1] !== ""),
  );
  return `${kept.join("\n").trimEnd()}\n`;
}

/** Replaces the spaces after a dash with one: `-   a` becomes `- a`. */
function normalDash(line: string): string {
  return line.replace(/^((?:- +)+)(?=\S)/, (dashes) => "- ".repeat(dashes.split("-").length - 1));
}

/** Indents a continuation line like the first line of its scalar, and keeps its trailing spaces. */
function shiftContinuation(line: string, { from, to }: Level): string {
  if (line.trim() === "") return line.length <= from ? "" : line.slice(0);
  const spaces = line.length - line.trimStart().length;
  return " ".repeat(Math.max(0, spaces + to - from)) + line.trimStart();
}

/** The current and the new indentation of each line. Comments are indented like the next line with content. */
function indents(lines: readonly string[], fixed: ReadonlyMap<number, number>): readonly Level[] {
  const found: Level[] = [];
  const stack: Level[] = [{ from: 0, to: 0 }];
  const comments: number[] = [];
  for (const [number, line] of lines.entries()) {
    found.push({ from: line.length - line.trimStart().length, to: 0 });
    if (fixed.has(number) || line.trim() === "") continue;
    if (line.trimStart().startsWith("#")) {
      comments.push(number);
      continue;
    }
    const level = enter(line, stack);
    found[number] = level;
    for (const comment of comments.splice(0)) found[comment] = { from: found[comment]?.from ?? 0, to: level.to };
  }
  return found;
}

/** Finds the level of a line, and opens the levels that its dashes begin. */
function enter(line: string, stack: Level[]): Level {
  const spaces = line.length - line.trimStart().length;
  const isItem = /^\s*-(\s|$)/.test(line);
  // The dash of an item may be in the column of the key around it; half a column keeps the two apart.
  let from = isItem ? spaces + 0.5 : spaces;
  let level = open(from, stack);
  const first = { from: spaces, to: level.to };
  for (const dash of (/^\s*((?:-\s+)*)/.exec(line)?.[1] ?? "").match(/-\s+/g) ?? []) {
    from = Math.floor(from) + dash.length;
    level = { from, to: level.to + 2 };
    stack.push(level);
  }
  return first;
}

function open(from: number, stack: Level[]): Level {
  while (stack.length > 1 && (stack.at(-1)?.from ?? 0) > from) stack.pop();
  const top = stack.at(-1) ?? { from: 0, to: 0 };
  if (top.from === from) return top;
  const isRoot = stack.length === 1 && from === 0.5;
  const level = { from, to: isRoot && top.to === 0 ? 2 : top.to + 2 };
  stack.push(level);
  return level;
}
