/**
 * Changes single entries of a YAML or JSON text and leaves every other character as it is. The `yaml` package parses the
 * text and locates each node; changes are made in the text itself, in the style of the enclosing collection.
 */
import { isMap, isScalar, isSeq, stringify, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { isAbsent, isBlock, isBlockCollection, keyOf, rangeOf, type YamlValue } from "./yaml-nodes.ts";
import { YamlSource, type YamlPath } from "./yaml-source.ts";

export type { YamlPath };

export class YamlText {
  readonly source: YamlSource;

  /** Parses a text; undefined if it is not valid YAML. */
  static parse(text: string): YamlText | undefined {
    const source = YamlSource.parse(text);
    return source && new YamlText(source);
  }

  private constructor(source: YamlSource) {
    this.source = source;
  }

  get text(): string {
    return this.source.text;
  }

  /** The value at a path as data; undefined if there is none. */
  get(path: YamlPath): unknown {
    const node = this.source.node(path);
    return node === undefined ? undefined : this.source.dataOf(node);
  }

  has(path: YamlPath): boolean {
    return this.source.node(path) !== undefined || this.source.pair(path) !== undefined;
  }

  kindOf(path: YamlPath): "map" | "list" | "other" | "nothing" {
    const node = this.source.node(path);
    if (isMap(node)) return "map";
    if (isSeq(node)) return "list";
    return node === undefined || (isScalar(node) && node.value === null) ? "nothing" : "other";
  }

  /** Keys of a map. */
  keys(path: YamlPath): readonly string[] {
    const node = this.source.node(path);
    return isMap(node) ? node.items.map(keyOf) : [];
  }

  /** Length of a list. */
  count(path: YamlPath): number {
    const node = this.source.node(path);
    return isSeq(node) ? node.items.length : 0;
  }

  /** Replaces or adds a value in a map, or replaces an item of a list. Collections above it must exist. */
  set(path: YamlPath, value: YamlValue): void {
    const key = path.at(-1);
    const parent = this.source.node(path.slice(0, -1));
    if (isSeq(parent) && typeof key === "number") return this.#replace(parent.items[key] as Node, value);
    if (!isMap(parent) || typeof key !== "string") throw new Error("the path leads to nothing");
    const pair = parent.items.find((item) => keyOf(item) === key);
    if (pair === undefined) this.#addPair(path.slice(0, -1), parent, key, value);
    else this.#replaceValue(pair, value);
  }

  /** Adds an item at the end of a list. */
  append(path: YamlPath, value: YamlValue): void {
    const list = this.source.node(path);
    if (!isSeq(list)) throw new Error("the path does not lead to a list");
    if (list.flow === true) return this.#addToFlow(list, this.#inline(value, true));
    const [first] = list.items;
    const last = list.items.at(-1);
    if (first === undefined || last === undefined) return this.set(path, [value]);
    const dash = this.source.dashOf(first as Node);
    const indent = " ".repeat(this.source.columnOf(dash));
    this.source.insertLines(this.source.endOf(last as Node), `${indent}- ${this.#asItem(value, `${indent}  `)}`);
  }

  /** Removes an entry of a map or an item of a list. A collection without entries remains, as `{}` or `[]`. */
  remove(path: YamlPath): void {
    const key = path.at(-1);
    const parent = this.source.node(path.slice(0, -1));
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
    const pair = this.source.pair(path);
    const key = pair?.key as Node | undefined;
    const [start, end] = rangeOf(key);
    const parent = this.source.node(path.slice(0, -1));
    this.source.splice(start, end, this.#inline(name, isMap(parent) && parent.flow === true));
  }

  #addPair(path: YamlPath, map: YAMLMap, key: string, value: YamlValue): void {
    if (path.length > 0 && this.#isEmptyFlow(map)) return this.set(path, { [key]: value });
    if (map.flow === true) return this.#addToFlow(map, `${this.#inline(key, true)}: ${this.#inline(value, true)}`);
    const last = map.items.at(-1);
    const first = map.items[0];
    if (first === undefined || last === undefined) return this.set(path, { [key]: value });
    const indent = " ".repeat(this.source.columnOf(rangeOf(first.key as Node)[0]));
    this.source.insertLines(this.source.endOfEntry(last), this.#entryLines(key, value, indent));
  }

  /** Lines of `key: value` in block style, with separate lines for the entries of nested objects. */
  #entryLines(key: string, value: YamlValue, indent: string): string {
    const name = `${indent}${this.#inline(key, false)}:`;
    if (isLongText(value)) return [`${name} |-`, ...longTextLines(value, indent)].join(this.source.lineEnd);
    if (!isBlock(value)) return `${name} ${this.#inline(value, false)}`;
    const lines = Object.entries(value).map(([inner, child]) => this.#entryLines(inner, child, `${indent}  `));
    return [name, ...lines].join(this.source.lineEnd);
  }

  #asItem(value: YamlValue, indent: string): string {
    if (!isBlock(value)) return this.#inline(value, false);
    const lines = Object.entries(value).map(([key, child]) => this.#entryLines(key, child, indent));
    return lines.join(this.source.lineEnd).trimStart();
  }

  #replaceValue(pair: Pair, value: YamlValue): void {
    if (isLongText(value) && !this.source.isJson && !this.#isWithinFlow(pair.key as Node))
      return this.#replaceByLines(pair, value);
    const node = pair.value as Node | null;
    const isEmpty = isAbsent(node);
    if (node !== null && !isEmpty && !isBlockCollection(node) && !(isBlock(value) && this.#isEmptyFlow(node)))
      return this.#replace(node, value);
    const colon = this.source.text.indexOf(":", rangeOf(pair.key as Node)[1]);
    if (!isEmpty && isBlockCollection(node)) this.#cutLines(node);
    else if (!isEmpty) this.source.splice(...this.source.withSpaceBefore(rangeOf(node)), "");
    this.#putAfterColon(colon, value, " ".repeat(this.source.columnOf(rangeOf(pair.key as Node)[0])));
  }

  /** Writes a string of several lines as a block scalar, which keeps its line breaks. */
  #replaceByLines(pair: Pair, text: string): void {
    const source = this.source;
    const node = pair.value as Node | null;
    const key = rangeOf(pair.key as Node);
    const colon = source.text.indexOf(":", key[1]);
    if (isBlockCollection(node)) this.#cutLines(node);
    else if (node !== null) {
      const [start, end] = source.withSpaceBefore(rangeOf(node));
      source.splice(start, end, source.text[end - 1] === "\n" ? source.lineEnd : "");
    }
    source.splice(colon + 1, colon + 1, " |-");
    const lines = longTextLines(text, " ".repeat(source.columnOf(key[0])));
    source.insertLines(source.nextLine(colon), lines.join(source.lineEnd));
  }

  #putAfterColon(colon: number, value: YamlValue, indent: string): void {
    if (!isBlock(value)) return this.source.splice(colon + 1, colon + 1, ` ${this.#inline(value, false)}`);
    const lines = Object.entries(value).map(([key, child]) => this.#entryLines(key, child, `${indent}  `));
    this.source.insertLines(this.source.nextLine(colon), lines.join(this.source.lineEnd));
  }

  /** True for `{}` or `[]` that can become block lines, that is, outside of a flow collection. */
  #isEmptyFlow(node: Node): boolean {
    return !this.source.isJson && (isMap(node) || isSeq(node)) && node.items.length === 0 && !this.#isWithinFlow(node);
  }

  #isWithinFlow(node: Node): boolean {
    const [start] = rangeOf(node);
    return /[{[]/.test(this.source.text.slice(this.source.lineStart(start), start));
  }

  #replace(node: Node, value: YamlValue): void {
    const [start, end] = rangeOf(node);
    const hasLineEnd = this.source.text[end - 1] === "\n";
    const text = this.#inline(value, this.#isWithinFlow(node));
    this.source.splice(start, end, text + (hasLineEnd ? this.source.lineEnd : ""));
  }

  #empty(path: YamlPath, collection: YAMLMap | YAMLSeq): void {
    const pair = this.source.pair(path);
    if (pair !== undefined && collection.flow !== true) return this.#replaceValue(pair, isMap(collection) ? {} : []);
    const [start, end] = rangeOf(collection);
    this.source.splice(start, end, isMap(collection) ? "{}" : "[]");
  }

  #addToFlow(collection: YAMLMap | YAMLSeq, entry: string): void {
    const [open, end] = rangeOf(collection);
    const last = collection.items.at(-1);
    if (last === undefined) return this.source.splice(open + 1, open + 1, entry);
    const [start, lastEnd] = this.source.rangeOfItem(last);
    const comma = /^\s*,/.exec(this.source.text.slice(lastEnd, end))?.[0];
    const lineStart = this.source.lineStart(start);
    const before = this.source.text.slice(lineStart, start);
    const gap = /^\s*$/.test(before) && lineStart > open ? `${this.source.lineEnd}${before}` : " ";
    if (comma === undefined) this.source.splice(lastEnd, lastEnd, `,${gap}${entry}`);
    else this.source.splice(lastEnd + comma.length, lastEnd + comma.length, `${gap}${entry}`);
  }

  #removeFromFlow(collection: YAMLMap | YAMLSeq, index: number): void {
    const { items } = collection;
    const [start, end] = this.source.rangeOfItem(items[index]);
    const next = items[index + 1];
    if (next !== undefined) return this.source.splice(start, this.source.rangeOfItem(next)[0], "");
    this.source.splice(this.source.rangeOfItem(items[index - 1])[1], end, "");
  }

  #removeLines(collection: YAMLMap | YAMLSeq, index: number): void {
    const item = collection.items[index];
    const first = this.source.startOfEntry(item);
    const lineStart = this.source.lineStart(first);
    if (/^\s*$/.test(this.source.text.slice(lineStart, first)))
      return this.source.splice(lineStart, this.source.endOfEntry(item), "");
    // The first entry of an item, after its dash: the next entry takes its place.
    const next = collection.items[index + 1];
    if (next !== undefined) this.source.splice(first, this.source.rangeOfItem(next)[0], "");
  }

  /** Removes the lines of a block collection; comments before its first line stay. */
  #cutLines(node: YAMLMap | YAMLSeq): void {
    const start = this.source.lineStart(this.source.startOfEntry(node.items[0]));
    this.source.splice(start, this.source.endOf(node), "");
  }

  /** A value on one line. */
  #inline(value: YamlValue, isInFlow: boolean): string {
    if (this.source.isJson || isLongText(value)) return JSON.stringify(value);
    if (isBlock(value) && Object.values(value).some(isLongText)) {
      const entries = Object.entries(value).map(
        ([key, child]) => `${this.#inline(key, true)}: ${this.#inline(child, true)}`,
      );
      return `{${entries.join(", ")}}`;
    }
    const options = { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false } as const;
    if (!isInFlow && (typeof value !== "object" || value === null)) return stringify(value, { lineWidth: 0 }).trimEnd();
    if (!isInFlow) return stringify(value, options).trimEnd();
    // Formatted as a list item, a string gets the quotes that a flow collection requires.
    return stringify([value], options).trim().slice(1, -1).trim();
  }
}

/** True for a string that a block scalar can represent line by line. YAML allows control characters only in quotes. */
function isLongText(value: YamlValue): value is string {
  return typeof value === "string" && /\n/.test(value) && /^[^\s\p{Cc}][^\p{Cc}]*(\n+[^\p{Cc}\n]+)*$/u.test(value);
}

function longTextLines(text: string, indent: string): readonly string[] {
  return text.split("\n").map((line) => (line === "" ? "" : `${indent}  ${line}`));
}
