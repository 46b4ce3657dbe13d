import { parseInline, plainText, type Inline } from "./parse-inline.ts";

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly id: string; readonly content: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | {
      readonly kind: "code";
      readonly language: string;
      /** The words after the language, such as `title="a.cwl"`. */
      readonly attributes: Readonly<Record<string, string>>;
      readonly text: string;
    }
  | { readonly kind: "image"; readonly alt: string; readonly source: string }
  | {
      readonly kind: "table";
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

const HEADING = /^(#{1,4})\s+(.*)$/;
const FENCE = /^```(\w*)((?:\s+[\w-]+="[^"]*")*)\s*$/;
const IMAGE = /^!\[([^\]]{0,500})\]\(([^)\s]{1,2000})\)$/;
const ITEM = /^(-|\d+\.)\s+(.*)$/;

/**
 * Parses the part of Markdown that the documentation uses: headings, paragraphs, flat lists, fenced code, tables and
 * images on a line of their own. Headings have the anchors that GitHub gives them.
 */
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
  return withUniqueIds(blocks);
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
  const [image, alt = "", source = ""] = IMAGE.exec(line) ?? [];
  if (image !== undefined) return { block: { kind: "image", alt, source }, end: at + 1 };
  return readParagraph(lines, at);
}

function headingOf(marks: string, text: string): Block {
  const content = parseInline(text);
  return { kind: "heading", level: marks.length, id: anchorOf(content), content };
}

/** Letters, digits, `_` and `-` stay; spaces become `-`. */
function anchorOf(content: readonly Inline[]): string {
  return plainText(content)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Repeated headings get the numbers 1, 2, … after the first. */
function withUniqueIds(blocks: readonly Block[]): readonly Block[] {
  const seen = new Map<string, number>();
  return blocks.map((block) => {
    if (block.kind !== "heading") return block;
    const earlier = seen.get(block.id) ?? 0;
    seen.set(block.id, earlier + 1);
    return earlier === 0 ? block : { ...block, id: `${block.id}-${earlier}` };
  });
}

function readCode(lines: readonly string[], at: number): Read {
  const [, language = "", rest = ""] = FENCE.exec(lines[at] ?? "") ?? [];
  const attributes = Object.fromEntries(
    [...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? "").startsWith("```")) end += 1;
  return { block: { kind: "code", language, attributes, text: lines.slice(at + 1, end).join("\n") }, end: end + 1 };
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
