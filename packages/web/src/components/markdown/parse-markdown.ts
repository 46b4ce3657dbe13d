import { parseInline, plainText, type Inline } from "./parse-inline.ts";

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly id: string; readonly content: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | {
      readonly kind: "table";
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

const HEADING = /^(#{1,4})\s+(.*)$/;
const FENCE = /^```(\w*)\s*$/;
const ITEM = /^(-|\d+\.)\s+(.*)$/;

/** Parses the part of Markdown that the guide uses: headings, paragraphs, flat lists, fenced code and tables. */
export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if ((lines[at] ?? "").trim() === "") {
      at += 1;
      continue;
    }
    const { block, end } = readBlock(lines, at);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

interface Read {
  readonly block: Block;
  /** First line that does not belong to the block. */
  readonly end: number;
}

function readBlock(lines: readonly string[], at: number): Read {
  const line = lines[at] ?? "";
  const heading = HEADING.exec(line);
  if (heading !== null) return { block: headingOf(heading[1] ?? "#", heading[2] ?? ""), end: at + 1 };
  if (FENCE.test(line)) return readCode(lines, at);
  if (ITEM.test(line)) return readList(lines, at);
  if (line.startsWith("|")) return readTable(lines, at);
  return readParagraph(lines, at);
}

function headingOf(marks: string, text: string): Block {
  const content = parseInline(text);
  return { kind: "heading", level: marks.length, id: anchorOf(content), content };
}

/** Anchor of a heading. A heading that is only a code keeps it as written, so that codes can be linked to. */
function anchorOf(content: readonly Inline[]): string {
  const [first, ...others] = content;
  if (first?.kind === "code" && others.length === 0) return first.text;
  return plainText(content)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

function readCode(lines: readonly string[], at: number): Read {
  const language = FENCE.exec(lines[at] ?? "")?.[1] ?? "";
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? "").startsWith("```")) end += 1;
  return { block: { kind: "code", language, text: lines.slice(at + 1, end).join("\n") }, end: end + 1 };
}

function readList(lines: readonly string[], at: number): Read {
  const items: string[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    if (item !== null) items.push(item[2] ?? "");
    else if (/^\s+\S/.test(line)) items.push(`${items.pop() ?? ""} ${line.trim()}`);
    else break;
  }
  return { block: { kind: "list", ordered: /^\d/.test(lines[at] ?? ""), items: items.map(parseInline) }, end };
}

function readTable(lines: readonly string[], at: number): Read {
  let end = at + 1;
  while (end < lines.length && (lines[end] ?? "").startsWith("|")) end += 1;
  const [head = [], , ...rows] = lines.slice(at, end).map(cellsOf);
  return { block: { kind: "table", head, rows }, end };
}

function cellsOf(line: string): readonly (readonly Inline[])[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll("\\|", "|")));
}

function readParagraph(lines: readonly string[], at: number): Read {
  let end = at + 1;
  while (end < lines.length && !startsBlock(lines[end] ?? "")) end += 1;
  return {
    block: {
      kind: "paragraph",
      content: parseInline(
        lines
          .slice(at, end)
          .map((line) => line.trim())
          .join(" "),
      ),
    },
    end,
  };
}

function startsBlock(line: string): boolean {
  return line.trim() === "" || HEADING.test(line) || FENCE.test(line) || ITEM.test(line) || line.startsWith("|");
}
