/**
 * Changes single entries of a YAML or JSON text and leaves every other character as it is. The `yaml` package parses the
 * text and tells where each node is; changes are made in the text itself, in the style of the collection that they belong to.
 */
import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument, stringify } from "yaml";
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import { isBlock, isBlockCollection, keyOf, lastEnd, rangeOf, type YamlValue } from "./yaml-nodes.ts";

/** Keys and indexes from the root. */
export type YamlPath = readonly (string | number)[];

export class YamlText {
  #text: string;
  #document: Document;
  readonly #isJson: boolean;
  readonly #lineEnd: string;

  /** Undefined for a text that is not valid YAML. */
  static parse(text: string): YamlText | undefined {
    const document = parse(text);
    return document.errors.length > 0 || document.contents === null ? undefined : new YamlText(text, document);
  }

  private constructor(text: string, document: Document) {
    this.#text = text;
    this.#document = document;
    this.#isJson = /^\s*[{[]/.test(text);
    this.#lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  }

  get text(): string {
    return this.#text;
  }

  /** The value at a path as data; undefined if there is none. */
  get(path: YamlPath): unknown {
    const node = this.#node(path);
    return node === undefined ? undefined : node.toJS(this.#document);
  }

  has(path: YamlPath): boolean {
    return this.#node(path) !== undefined || this.#pair(path) !== undefined;
  }

  kindOf(path: YamlPath): "map" | "list" | "other" | "nothing" {
    const node = this.#node(path);
    if (isMap(node)) return "map";
    if (isSeq(node)) return "list";
    return node === undefined || (isScalar(node) && node.value === null) ? "nothing" : "other";
  }

  /** Keys of a map. */
  keys(path: YamlPath): readonly string[] {
    const node = this.#node(path);
    return isMap(node) ? node.items.map(keyOf) : [];
  }

  /** Length of a list. */
  count(path: YamlPath): number {
    const node = this.#node(path);
    return isSeq(node) ? node.items.length : 0;
  }

  /** Replaces or adds a value in a map, or replaces an item of a list. Collections above it must exist. */
  set(path: YamlPath, value: YamlValue): void {
    const key = path.at(-1);
    const parent = this.#node(path.slice(0, -1));
    if (isSeq(parent) && typeof key === "number") return this.#replace(parent.items[key] as Node, value);
    if (!isMap(parent) || typeof key !== "string") throw new Error("the path leads to nothing");
    const pair = parent.items.find((item) => keyOf(item) === key);
    if (pair === undefined) this.#addPair(path.slice(0, -1), parent, key, value);
    else this.#replaceValue(pair, value);
  }

  /** Adds an item at the end of a list. */
  append(path: YamlPath, value: YamlValue): void {
    const list = this.#node(path);
    if (!isSeq(list)) throw new Error("the path leads to no list");
    if (list.flow === true) return this.#addToFlow(list, this.#inline(value, true));
    const [first] = list.items;
    const last = list.items.at(-1);
    if (first === undefined || last === undefined) return this.set(path, [value]);
    const dash = this.#dashOf(first as Node);
    const indent = " ".repeat(this.#columnOf(dash));
    this.#insertLines(this.#endOf(last as Node), `${indent}- ${this.#asItem(value, `${indent}  `)}`);
  }

  /** Removes an entry of a map or an item of a list. The last one leaves an empty collection. */
  remove(path: YamlPath): void {
    const key = path.at(-1);
    const parent = this.#node(path.slice(0, -1));
    if (!isMap(parent) && !isSeq(parent)) return;
    const index = isMap(parent) ? parent.items.findIndex((item) => keyOf(item) === key) : Number(key);
    const item = parent.items[index];
    if (item === undefined) return;
    if (parent.items.length === 1) return this.#empty(path.slice(0, -1), parent);
    if (parent.flow === true) return this.#removeFromFlow(parent, index);
    this.#removeLines(parent, index);
  }

  /** Changes a key and leaves its value. */
  renameKey(path: YamlPath, name: string): void {
    const pair = this.#pair(path);
    const key = pair?.key as Node | undefined;
    const [start, end] = rangeOf(key);
    const parent = this.#node(path.slice(0, -1));
    this.#splice(start, end, this.#inline(name, isMap(parent) && parent.flow === true));
  }

  #addPair(path: YamlPath, map: YAMLMap, key: string, value: YamlValue): void {
    if (path.length > 0 && this.#isEmptyFlow(map)) return this.set(path, { [key]: value });
    if (map.flow === true) return this.#addToFlow(map, `${this.#inline(key, true)}: ${this.#inline(value, true)}`);
    const last = map.items.at(-1);
    const first = map.items[0];
    if (first === undefined || last === undefined) return this.set(path, { [key]: value });
    const indent = " ".repeat(this.#columnOf(rangeOf(first.key as Node)[0]));
    this.#insertLines(this.#endOfPair(last), this.#entryLines(key, value, indent));
  }

  /** `key: value` in block style: nested objects with entries get lines of their own. */
  #entryLines(key: string, value: YamlValue, indent: string): string {
    const name = `${indent}${this.#inline(key, false)}:`;
    if (!isBlock(value)) return `${name} ${this.#inline(value, false)}`;
    const lines = Object.entries(value).map(([inner, child]) => this.#entryLines(inner, child, `${indent}  `));
    return [name, ...lines].join(this.#lineEnd);
  }

  #asItem(value: YamlValue, indent: string): string {
    if (!isBlock(value)) return this.#inline(value, false);
    const lines = Object.entries(value).map(([key, child]) => this.#entryLines(key, child, indent));
    return lines.join(this.#lineEnd).trimStart();
  }

  #replaceValue(pair: Pair, value: YamlValue): void {
    const node = pair.value as Node | null;
    const isEmpty = node === null || (isScalar(node) && rangeOf(node)[0] === rangeOf(node)[1]);
    if (!isEmpty && !isBlockCollection(node) && !(isBlock(value) && this.#isEmptyFlow(node)))
      return this.#replace(node, value);
    const colon = this.#text.indexOf(":", rangeOf(pair.key as Node)[1]);
    if (!isEmpty && isBlockCollection(node)) this.#cutLines(node);
    else if (!isEmpty) this.#splice(...this.#withSpaceBefore(rangeOf(node)), "");
    this.#putAfterColon(colon, value, " ".repeat(this.#columnOf(rangeOf(pair.key as Node)[0])));
  }

  #putAfterColon(colon: number, value: YamlValue, indent: string): void {
    if (!isBlock(value)) return this.#splice(colon + 1, colon + 1, ` ${this.#inline(value, false)}`);
    const lines = Object.entries(value).map(([key, child]) => this.#entryLines(key, child, `${indent}  `));
    this.#insertLines(this.#nextLine(colon), lines.join(this.#lineEnd));
  }

  /** `{}` and `[]` in block style become lines, unless they are within a flow collection. */
  #isEmptyFlow(node: Node): boolean {
    return !this.#isJson && (isMap(node) || isSeq(node)) && node.items.length === 0 && !this.#isWithinFlow(node);
  }

  #isWithinFlow(node: Node): boolean {
    const [start] = rangeOf(node);
    const lineStart = this.#text.lastIndexOf("\n", start - 1) + 1;
    return /[{[]/.test(this.#text.slice(lineStart, start));
  }

  #replace(node: Node, value: YamlValue): void {
    const [start, end] = rangeOf(node);
    const hasLineEnd = this.#text[end - 1] === "\n";
    this.#splice(start, end, this.#inline(value, this.#isWithinFlow(node)) + (hasLineEnd ? this.#lineEnd : ""));
  }

  #empty(path: YamlPath, collection: YAMLMap | YAMLSeq): void {
    const nothing: YamlValue = isMap(collection) ? {} : [];
    const pair = this.#pair(path);
    if (pair !== undefined && collection.flow !== true) return this.#replaceValue(pair, nothing);
    const [start, end] = rangeOf(collection);
    this.#splice(start, end, isMap(collection) ? "{}" : "[]");
  }

  #addToFlow(collection: YAMLMap | YAMLSeq, entry: string): void {
    const [open, end] = rangeOf(collection);
    const last = collection.items.at(-1);
    if (last === undefined) return this.#splice(open + 1, open + 1, entry);
    const [start, lastEnd] = this.#rangeOfItem(last);
    const comma = /^\s*,/.exec(this.#text.slice(lastEnd, end))?.[0];
    const lineStart = this.#text.lastIndexOf("\n", start - 1) + 1;
    const before = this.#text.slice(lineStart, start);
    const gap = /^\s*$/.test(before) && lineStart > open ? `${this.#lineEnd}${before}` : " ";
    if (comma === undefined) this.#splice(lastEnd, lastEnd, `,${gap}${entry}`);
    else this.#splice(lastEnd + comma.length, lastEnd + comma.length, `${gap}${entry}`);
  }

  #removeFromFlow(collection: YAMLMap | YAMLSeq, index: number): void {
    const { items } = collection;
    const [start, end] = this.#rangeOfItem(items[index]);
    const next = items[index + 1];
    if (next !== undefined) return this.#splice(start, this.#rangeOfItem(next)[0], "");
    this.#splice(this.#rangeOfItem(items[index - 1])[1], end, "");
  }

  #removeLines(collection: YAMLMap | YAMLSeq, index: number): void {
    const item = collection.items[index];
    const [start] = this.#rangeOfItem(item);
    const first = isPair(item) ? start : this.#dashOf(item as Node);
    const lineStart = this.#text.lastIndexOf("\n", first - 1) + 1;
    const end = isPair(item) ? this.#endOfPair(item) : this.#endOf(item as Node);
    if (/^\s*$/.test(this.#text.slice(lineStart, first))) return this.#splice(lineStart, end, "");
    // The first entry of an item, after its dash: the next entry takes its place.
    const next = collection.items[index + 1];
    if (next !== undefined) this.#splice(first, this.#rangeOfItem(next)[0], "");
  }

  /** Removes the lines of a block collection; comments before its first line stay. */
  #cutLines(node: YAMLMap | YAMLSeq): void {
    const [first] = node.items;
    const start = isPair(first) ? rangeOf(first.key as Node)[0] : this.#dashOf(first as Node);
    const lineStart = this.#text.lastIndexOf("\n", start - 1) + 1;
    this.#splice(lineStart, this.#endOf(node), "");
  }

  #insertLines(at: number, lines: string): void {
    const isAfterLine = at === 0 || this.#text[at - 1] === "\n";
    this.#splice(at, at, isAfterLine ? `${lines}${this.#lineEnd}` : `${this.#lineEnd}${lines}`);
  }

  #splice(start: number, end: number, insert: string): void {
    this.#text = this.#text.slice(0, start) + insert + this.#text.slice(end);
    this.#document = parse(this.#text);
  }

  #withSpaceBefore([start, end]: readonly [number, number]): [number, number] {
    return [this.#text[start - 1] === " " ? start - 1 : start, end];
  }

  /** Where the line after a place begins, or the end of the text. */
  #nextLine(place: number): number {
    const end = this.#text.indexOf("\n", place);
    return end === -1 ? this.#text.length : end + 1;
  }

  /** Where the line after the content of a node begins; comments that follow it are not part of it. */
  #endOf(node: Node | null): number {
    const end = lastEnd(node);
    return this.#text[end - 1] === "\n" ? end : this.#nextLine(end);
  }

  #endOfPair({ key, value }: Pair): number {
    const node = value as Node | null;
    const isAbsent = node === null || (isScalar(node) && rangeOf(node)[0] === rangeOf(node)[1]);
    return isAbsent ? this.#nextLine(rangeOf(key as Node)[1]) : this.#endOf(node);
  }

  #rangeOfItem(item: unknown): readonly [number, number] {
    if (!isPair(item)) return rangeOf(item as Node);
    const [start, keyEnd] = rangeOf(item.key as Node);
    return [start, item.value === null ? keyEnd : Math.max(keyEnd, rangeOf(item.value as Node)[1])];
  }

  #dashOf(item: Node): number {
    return this.#text.lastIndexOf("-", rangeOf(item)[0] - 1);
  }

  #columnOf(offset: number): number {
    return offset - (this.#text.lastIndexOf("\n", offset - 1) + 1);
  }

  /** A value on one line. */
  #inline(value: YamlValue, isInFlow: boolean): string {
    if (this.#isJson) return JSON.stringify(value);
    const options = { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false } as const;
    if (!isInFlow && (typeof value !== "object" || value === null)) return stringify(value, { lineWidth: 0 }).trimEnd();
    if (!isInFlow) return stringify(value, options).trimEnd();
    // In a list, a text gets quotes where a flow collection needs them.
    return stringify([value], options).trim().slice(1, -1).trim();
  }

  #node(path: YamlPath): Node | undefined {
    let node: Node | null | undefined = this.#document.contents;
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(this.#document);
      if (isMap(node)) node = node.items.find((item) => keyOf(item) === part)?.value as Node | null | undefined;
      else if (isSeq(node)) node = node.items[Number(part)] as Node | undefined;
      else return undefined;
    }
    return node ?? undefined;
  }

  #pair(path: YamlPath): Pair | undefined {
    const parent = this.#node(path.slice(0, -1));
    return isMap(parent) ? parent.items.find((item) => keyOf(item) === path.at(-1)) : undefined;
  }
}

function parse(text: string): Document {
  return parseDocument(text, { uniqueKeys: false, strict: false });
}
