/** A YAML text with its syntax tree: finds nodes and edits the text in place; each edit parses the tree again. */
import {
  isAlias,
  isMap,
  isPair,
  isSeq,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  type ScalarTag,
} from "yaml";
import { wholeNumber } from "@weft/shared/json/exact-json.ts";
import { joinFlowLines } from "@weft/cwl/document/yaml/join-flow-lines.ts";
import { isAbsent, keyOf, lastEnd, rangeOf } from "./yaml-nodes.ts";

/** Keys and indexes from the root. */
export type YamlPath = readonly (string | number)[];

export class YamlSource {
  #text: string;
  #document: Document;
  readonly isJson: boolean;
  readonly lineEnd: string;

  /** Parses a text; undefined if it is not valid YAML. */
  static parse(text: string): YamlSource | undefined {
    const document = parse(text);
    return document.errors.length > 0 || document.contents === null ? undefined : new YamlSource(text, document);
  }

  private constructor(text: string, document: Document) {
    this.#text = text;
    this.#document = document;
    this.isJson = /^\s*[{[]/.test(text);
    this.lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  }

  get text(): string {
    return this.#text;
  }

  /** The value of a node as plain data. */
  dataOf(node: Node): unknown {
    return node.toJS(this.#document);
  }

  insertLines(at: number, lines: string): void {
    const isAfterLine = at === 0 || this.#text[at - 1] === "\n";
    this.splice(at, at, isAfterLine ? `${lines}${this.lineEnd}` : `${this.lineEnd}${lines}`);
  }

  splice(start: number, end: number, insert: string): void {
    this.#text = this.#text.slice(0, start) + insert + this.#text.slice(end);
    this.#document = parse(this.#text);
  }

  withSpaceBefore([start, end]: readonly [number, number]): [number, number] {
    return [this.#text[start - 1] === " " ? start - 1 : start, end];
  }

  /** The offset of the next line, or the end of the text. */
  nextLine(place: number): number {
    const end = this.#text.indexOf("\n", place);
    return end === -1 ? this.#text.length : end + 1;
  }

  /** The offset of the line after the content of a node, before comments that follow the node. */
  endOf(node: Node | null): number {
    const end = lastEnd(node);
    return this.#text[end - 1] === "\n" ? end : this.nextLine(end);
  }

  /** Like `endOf`, for an entry of a map or an item of a list. */
  endOfEntry(entry: unknown): number {
    if (!isPair(entry)) return this.endOf(entry as Node);
    const node = entry.value as Node | null;
    return isAbsent(node) ? this.nextLine(rangeOf(entry.key as Node)[1]) : this.endOf(node);
  }

  /** The offset of the key of an entry, or of the dash of an item in block style. */
  startOfEntry(entry: unknown): number {
    return isPair(entry) ? rangeOf(entry.key as Node)[0] : this.dashOf(entry as Node);
  }

  /** The offset of the line that contains an offset. */
  lineStart(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  rangeOfItem(item: unknown): readonly [number, number] {
    if (!isPair(item)) return rangeOf(item as Node);
    const [start, keyEnd] = rangeOf(item.key as Node);
    return [start, item.value === null ? keyEnd : Math.max(keyEnd, rangeOf(item.value as Node)[1])];
  }

  dashOf(item: Node): number {
    return this.#text.lastIndexOf("-", rangeOf(item)[0] - 1);
  }

  columnOf(offset: number): number {
    return offset - this.lineStart(offset);
  }

  node(path: YamlPath): Node | undefined {
    let node: Node | null | undefined = this.#document.contents;
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(this.#document);
      if (isMap(node)) node = node.items.find((item) => keyOf(item) === part)?.value as Node | null | undefined;
      else if (isSeq(node)) node = node.items[Number(part)] as Node | undefined;
      else return undefined;
    }
    return node ?? undefined;
  }

  pair(path: YamlPath): Pair | undefined {
    const parent = this.node(path.slice(0, -1));
    return isMap(parent) ? parent.items.find((item) => keyOf(item) === path.at(-1)) : undefined;
  }
}

/** Joins lines of flow collections that are not indented enough for the parser; offsets do not change. */
function parse(text: string): Document {
  const document = parseStrictly(text);
  if (document.errors.length === 0) return document;
  const { text: joined, loose } = joinFlowLines(text);
  return loose.length === 0 ? document : parseStrictly(joined);
}

function parseStrictly(text: string): Document {
  return parseDocument(text, { uniqueKeys: false, strict: false, customTags: (tags) => [LONG, ...tags] });
}

/** Whole numbers of 16 digits or more, which a double may not represent exactly; the standard tags handle all others. */
const LONG: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^[-+]?[0-9]{16,}$/,
  identify: () => false,
  resolve: (text) => wholeNumber(text),
};
