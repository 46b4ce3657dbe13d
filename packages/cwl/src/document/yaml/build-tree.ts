import {
  CHOMPING_MODE,
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type AliasEvent,
  type Event,
  type ScalarEvent,
} from "js-yaml";
import type { Diagnostic } from "../../diagnostic.ts";
import type { ParsedYaml } from "./parsed-yaml.ts";
import { quoteHint } from "./syntax-hint.ts";
import type { SourceText } from "./source-text.ts";
import { MAX_ALIASES, MAX_COPIED_NODES, MAX_DEPTH } from "./yaml-limits.ts";
import {
  positionOf,
  type MappingEntry,
  type MappingNode,
  type ScalarNode,
  type SequenceNode,
  type YamlNode,
  type ScalarValue,
} from "./yaml-node.ts";
import { wholeNumber } from "@weft/shared/json/exact-json.ts";

/** Builds the tree of one document from the parser's events. Resolves aliases, and reports duplicate keys and unknown tags. */
export function buildTree(source: SourceText, events: readonly Event[]): ParsedYaml {
  const builder = new TreeBuilder(source, events);
  return { root: builder.build(), diagnostics: builder.diagnostics };
}

interface Anchored {
  readonly node: YamlNode;
  readonly size: number;
  readonly height: number;
}

const KNOWN_TAGS = new Set(["!", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq"]);

/** Reads events in order. Size and height of anchored nodes are counted along the way, so that aliases need no traversal. */
class TreeBuilder {
  readonly diagnostics: Diagnostic[] = [];
  readonly #source: SourceText;
  readonly #events: readonly Event[];
  readonly #anchors = new Map<string, Anchored>();
  #next = 1;
  #aliases = 0;
  #size = 0;
  #copied = 0;
  #deepest = 0;

  constructor(source: SourceText, events: readonly Event[]) {
    this.#source = source;
    this.#events = events;
  }

  build(): YamlNode | undefined {
    const first = this.#events[this.#next];
    if (first === undefined || first.type === EVENT_ID.POP) return undefined;
    const root = this.#readNode(0, 0);
    return this.diagnostics.some(({ code }) => code === "yaml-limit") ? undefined : root;
  }

  #readNode(level: number, emptyOffset: number): YamlNode {
    const event = this.#events[this.#next++];
    if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) {
      throw new Error("The YAML parser's events are not balanced");
    }
    if (event.type === EVENT_ID.ALIAS) return this.#readAlias(event, level);
    this.#checkTag(event.tagStart, event.tagEnd);
    if (event.anchorStart === -1) return this.#readContent(event, level, emptyOffset);
    return this.#readAnchored(event, level, emptyOffset);
  }

  #readContent(event: ContentEvent, level: number, emptyOffset: number): YamlNode {
    this.#size++;
    this.#deepest = Math.max(this.#deepest, level);
    if (event.type === EVENT_ID.SCALAR) return this.#readScalar(event, emptyOffset);
    return event.type === EVENT_ID.SEQUENCE
      ? this.#readSequence(event.start, level)
      : this.#readMapping(event.start, level);
  }

  /** An anchor is defined only after its node, so that a node cannot contain an alias to itself. */
  #readAnchored(event: ContentEvent, level: number, emptyOffset: number): YamlNode {
    const [sizeBefore, deepestBefore] = [this.#size, this.#deepest];
    this.#deepest = level;
    const node = this.#readContent(event, level, emptyOffset);
    const name = this.#source.text.slice(event.anchorStart, event.anchorEnd);
    this.#anchors.set(name, { node, size: this.#size - sizeBefore, height: this.#deepest - level });
    this.#deepest = Math.max(this.#deepest, deepestBefore);
    return node;
  }

  #readAlias(event: AliasEvent, level: number): YamlNode {
    const name = this.#source.text.slice(event.anchorStart, event.anchorEnd);
    const target = this.#anchors.get(name);
    if (target === undefined) {
      const message = `There is no anchor &${name} before this alias`;
      this.#report(event.anchorStart - 1, "yaml-syntax", message, quoteHint("*"));
      return this.#nullAt(event.anchorStart - 1);
    }
    this.#aliases++;
    this.#size += target.size;
    this.#copied += target.size;
    this.#deepest = Math.max(this.#deepest, level + target.height);
    return this.#withinLimits(level + target.height) ? target.node : this.#refuse(event.anchorStart - 1);
  }

  #withinLimits(depth: number): boolean {
    return this.#aliases <= MAX_ALIASES && this.#copied <= MAX_COPIED_NODES && depth <= MAX_DEPTH;
  }

  #refuse(offset: number): YamlNode {
    if (!this.diagnostics.some(({ code }) => code === "yaml-limit")) {
      const limits = `at most ${MAX_ALIASES} aliases, ${MAX_COPIED_NODES} nodes by alias and ${MAX_DEPTH} levels`;
      this.#report(offset, "yaml-limit", `The document's aliases expand to too many nodes (${limits})`);
    }
    return this.#nullAt(offset);
  }

  #readScalar(event: ScalarEvent, emptyOffset: number): ScalarNode {
    const text = scalarText(this.#source.text, event);
    const tag = event.tagStart === -1 ? "" : this.#source.text.slice(event.tagStart, event.tagEnd);
    const isText = event.style !== SCALAR_STYLE.PLAIN || tag === "!" || tag === "!!str";
    const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
    const offset = event.valueStart === -1 ? emptyOffset : event.valueStart - (quoted ? 1 : 0);
    return {
      kind: "scalar",
      source: this.#source,
      offset,
      end: event.valueStart === -1 ? emptyOffset : event.valueEnd + (quoted ? 1 : 0),
      value: isText ? text : resolveScalar(text),
    };
  }

  #readSequence(offset: number, level: number): SequenceNode {
    const items: YamlNode[] = [];
    while (!this.#atEnd()) items.push(this.#readNode(level + 1, offset));
    return { kind: "sequence", source: this.#source, offset, items };
  }

  #readMapping(offset: number, level: number): MappingNode {
    const entries: MappingEntry[] = [];
    const seen = new Map<string, ScalarNode>();
    while (!this.#atEnd()) {
      const keyNode = this.#readKey(level, offset);
      const value = this.#readNode(level + 1, keyNode.offset);
      const key = String(keyNode.value);
      const first = seen.get(key);
      if (first !== undefined) this.#reportDuplicate(keyNode, first);
      else entries.push({ key, keyNode, value });
      seen.set(key, first ?? keyNode);
    }
    return { kind: "mapping", source: this.#source, offset, entries };
  }

  #reportDuplicate({ offset, value }: ScalarNode, first: ScalarNode): void {
    const message = `duplicate key \`${String(value)}\`; first defined on line ${positionOf(first).line}`;
    this.#report(offset, "duplicate-key", message);
  }

  #readKey(level: number, emptyOffset: number): ScalarNode {
    const event = this.#events[this.#next];
    const key = this.#readNode(level + 1, emptyOffset);
    if (key.kind === "scalar")
      return event?.type === EVENT_ID.SCALAR ? { ...key, value: scalarText(this.#source.text, event) } : key;
    this.#report(key.offset, "yaml-syntax", "A key must be text, not a list or a map");
    return this.#nullAt(key.offset);
  }

  #atEnd(): boolean {
    if (this.#events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next++;
    return true;
  }

  #checkTag(start: number, end: number): void {
    const tag = start === -1 ? "!" : this.#source.text.slice(start, end);
    if (KNOWN_TAGS.has(tag)) return;
    this.#report(start, "yaml-tag", `The YAML tag ${tag} is not allowed in CWL`, quoteHint("!"));
  }

  #nullAt(offset: number): ScalarNode {
    return { kind: "scalar", source: this.#source, offset, end: offset, value: null };
  }

  #report(offset: number, code: string, message: string, hint?: string): void {
    const diagnostic = { severity: "error", code, message, ...this.#source.positionAt(offset) } as const;
    this.diagnostics.push(hint === undefined ? diagnostic : { ...diagnostic, hint });
  }
}

type ContentEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.ALIAS | typeof EVENT_ID.POP }>;

/** The value of a scalar, without the line break that the parser adds to a block text at the end of a file without one. */
function scalarText(text: string, event: ScalarEvent): string {
  const value = getScalarValue(text, event);
  const { style, chomping, valueStart, valueEnd } = event;
  const isBlock = style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK;
  if (!isBlock || valueEnd !== text.length || chomping === CHOMPING_MODE.STRIP) return value;
  return valueEnd > valueStart && !/[\r\n]$/.test(text) && value.endsWith("\n") ? value.slice(0, -1) : value;
}

const INTEGER = /^[-+]?[0-9]+$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const WORDS: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/**
 * The value of a plain (unquoted) scalar by the core schema of YAML 1.2, section 10.3. Infinity and not-a-number remain
 * strings, because JSON cannot represent them.
 */
function resolveScalar(text: string): ScalarValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (INTEGER.test(text) || OCTAL.test(text) || HEXADECIMAL.test(text)) return wholeNumber(text);
  return FLOAT.test(text) ? Number(text) : text;
}
