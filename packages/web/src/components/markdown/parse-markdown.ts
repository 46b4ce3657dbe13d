import MarkdownIt, { type Token } from "markdown-it";

/** A part of a text: characters, or an element under its HTML name. */
export type MarkdownNode = string | MarkdownElement;

export interface MarkdownElement {
  readonly tag: string;
  /** `href`, `src`, `alt`, `start`; `id` of a heading; `language` and `title` of a code block. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MarkdownNode[];
}

/** Nested deeper, marks stay text. */
const MAX_NESTING = 20;

const reader = new MarkdownIt("commonmark", { html: false, maxNesting: MAX_NESTING }).enable("table");
// Other schemes could run code, and other hosts without a scheme look like pages of this server.
reader.validateLink = (href) => /^(https?:|(?!\/\/)([^:]*$|[^:]*[/?#]))/.test(href);

/** Parses CommonMark with tables. HTML stays text. Headings have the anchors that GitHub gives them. */
export function parseMarkdown(text: string): readonly MarkdownNode[] {
  const anchors = new Map<string, number>();
  return treeOf(reader.parse(text, {})).map((node) => withAnchor(node, anchors));
}

/** Builds the tree of a flat list of tokens. */
function treeOf(tokens: readonly Token[]): readonly MarkdownNode[] {
  const top: MarkdownNode[] = [];
  const open = [top];
  for (const token of tokens) {
    const siblings = open.at(-1) ?? top;
    // A paragraph of a list without blank lines has no element.
    if (token.hidden) continue;
    if (token.nesting === -1) open.pop();
    else if (token.nesting === 0) siblings.push(...leavesOf(token));
    else {
      const children: MarkdownNode[] = [];
      siblings.push({ tag: token.tag, attributes: attributesOf(token), children });
      open.push(children);
    }
  }
  return top;
}

function leavesOf(token: Token): readonly MarkdownNode[] {
  switch (token.type) {
    case "inline":
      return treeOf(token.children ?? []);
    case "softbreak":
      return ["\n"];
    case "text":
      return [token.content];
    case "image":
      return [{ tag: "img", attributes: { ...attributesOf(token), alt: token.content }, children: [] }];
    case "fence":
    case "code_block":
      return [{ tag: "pre", attributes: codeAttributes(token.info), children: [token.content.replace(/\n$/, "")] }];
    default:
      return [{ tag: token.tag, attributes: {}, children: token.content === "" ? [] : [token.content] }];
  }
}

function attributesOf({ attrs }: Token): Readonly<Record<string, string>> {
  return Object.fromEntries((attrs ?? []).map(([name, value]) => [name, String(value)]));
}

/** `yaml title="a.cwl"` */
function codeAttributes(info: string): Readonly<Record<string, string>> {
  const named = [...info.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  return { ...Object.fromEntries(named), language: /^\w*/.exec(info)?.[0] ?? "" };
}

/** Letters, digits, `_` and `-` stay; spaces become `-`. Repeated headings get the numbers 1, 2, … after the first. */
function withAnchor(node: MarkdownNode, anchors: Map<string, number>): MarkdownNode {
  if (headingLevel(node) === undefined || typeof node === "string") return node;
  const words = plainText(node.children)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "");
  const anchor = words.trim().replace(/\s/g, "-");
  const earlier = anchors.get(anchor) ?? 0;
  anchors.set(anchor, earlier + 1);
  return { ...node, attributes: { id: earlier === 0 ? anchor : `${anchor}-${earlier}` } };
}

interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export function headingsOf(nodes: readonly MarkdownNode[]): readonly Heading[] {
  return nodes.flatMap((node) => {
    const level = headingLevel(node);
    return level === undefined || typeof node === "string"
      ? []
      : [{ level, id: node.attributes["id"] ?? "", text: plainText(node.children) }];
  });
}

/** 1 to 6; undefined for everything else. */
export function headingLevel(node: MarkdownNode | undefined): number | undefined {
  const level = typeof node === "object" ? /^h([1-6])$/.exec(node.tag)?.[1] : undefined;
  return level === undefined ? undefined : Number(level);
}

/** The words without markup. */
export function plainText(nodes: readonly MarkdownNode[]): string {
  return wordsOf(nodes).replaceAll(/\s+/g, " ").trim();
}

const INLINE: ReadonlySet<string> = new Set(["a", "code", "em", "strong"]);

function wordsOf(nodes: readonly MarkdownNode[]): string {
  const parts = nodes.map((node) => {
    if (typeof node === "string") return node;
    const words = wordsOf(node.children);
    return INLINE.has(node.tag) ? words : ` ${node.attributes["alt"] ?? words} `;
  });
  return parts.join("");
}

/** All elements at any depth, in the order of the text. */
export function elementsIn(nodes: readonly MarkdownNode[]): readonly MarkdownElement[] {
  return nodes.flatMap((node) => (typeof node === "string" ? [] : [node, ...elementsIn(node.children)]));
}
