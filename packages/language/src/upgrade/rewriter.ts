import {
  entryOf,
  positionOf,
  type MappingNode,
  type ScalarNode,
  type YamlNode,
} from "@weft/cwl/document/yaml/yaml-node.ts";
import { findOverlap, type Edit } from "./apply-edits.ts";

export const SHARED = "a YAML alias uses this in two different ways; write it in full in both places";

/**
 * Collects the edits of one document, their effects, and the changes that only a person can make. Line numbers
 * refer to the original text.
 */
export class Rewriter {
  readonly #edits = new Map<string, Edit>();
  readonly #changes = new Map<string, Set<number>>();
  readonly #problems: { readonly line: number; readonly text: string }[] = [];

  /** Descriptions of the changes, each with all affected lines, in order of the first line. */
  get changes(): readonly string[] {
    const all = [...this.#changes].map(([what, lines]) => ({ what, lines: [...lines].toSorted((a, b) => a - b) }));
    const ordered = all.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
    return ordered.map(({ what, lines }) => `line${lines.length > 1 ? "s" : ""} ${lines.join(", ")}: ${what}`);
  }

  get problems(): readonly string[] {
    const ordered = this.#problems.toSorted((a, b) => a.line - b.line);
    return [...new Set(ordered.map(({ line, text }) => `line ${line}: ${text}`))];
  }

  /** The edits without duplicates: aliases lead to a node several times. */
  editsOf(root: YamlNode): readonly Edit[] {
    const edits = [...this.#edits.values()];
    const overlap = findOverlap(edits);
    if (overlap !== undefined) this.refuse({ ...root, offset: overlap.offset }, SHARED);
    return edits;
  }

  note(node: YamlNode, what: string): void {
    const lines = this.#changes.get(what) ?? new Set();
    this.#changes.set(what, lines.add(positionOf(node).line));
  }

  refuse(node: YamlNode, text: string): void {
    this.#problems.push({ line: positionOf(node).line, text });
  }

  replace(edit: Edit): void {
    this.#edits.set(`${edit.offset}:${edit.end}:${edit.text}`, edit);
  }

  /** Replaces the text of a scalar and keeps its quotation marks. */
  setText(node: ScalarNode, text: string): void {
    if (node.value === text) return;
    const written = node.source.text.slice(node.offset, node.end);
    const quote = /^["']/.exec(written)?.[0] ?? "";
    if (written !== `${quote}${String(node.value)}${quote}`)
      return this.refuse(node, `write \`${String(node.value)}\` on one line, without escapes`);
    this.replace({ offset: node.offset, end: node.end, text: `${quote}${text}${quote}` });
  }

  rename(node: MappingNode, from: string, to: string): void {
    const entry = entryOf(node, from);
    if (entry === undefined) return;
    if (entryOf(node, to) !== undefined)
      return this.refuse(entry.keyNode, `there are both \`${from}\` and \`${to}\`; keep one of them`);
    this.setText(entry.keyNode, to);
    this.note(entry.keyNode, `\`${from}\` is now \`${to}\``);
  }
}
