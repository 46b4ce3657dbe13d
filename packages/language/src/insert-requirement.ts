import { entryOf, type MappingNode, type YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";

export interface NewRequirement {
  readonly field: "requirements" | "hints";
  /** Class of the requirement. */
  readonly name: string;
  /** The other fields as a flow mapping: `{}`, `{ramMin: 100}`. */
  readonly body: string;
}

/** The text, and its offset, that adds a requirement in the style of the document; undefined if nothing can be inserted. */
export function insertRequirement(
  process: MappingNode,
  { field, name, body }: NewRequirement,
): { readonly offset: number; readonly text: string } | undefined {
  const { text } = process.source;
  const present = entryOf(process, field)?.value;
  if (present !== undefined) return insertInto(present, { name, body });
  const [first] = process.entries;
  const after = entryOf(process, "class")?.value;
  if (first === undefined || after?.kind !== "scalar") return undefined;
  if (text.charAt(process.offset) === "{")
    return { offset: process.offset + 1, text: `${field}: {${name}: ${body}}, ` };
  const space = " ".repeat(process.source.positionAt(first.keyNode.offset).column - 1);
  return { offset: endOfLine(text, after.end), text: `\n${space}${field}:\n${space}  ${name}: ${body}` };
}

function insertInto(present: YamlNode, { name, body }: Omit<NewRequirement, "field">) {
  if (present.kind === "scalar") return undefined;
  const { offset, source } = present;
  const fields = body.slice(1, -1).trim();
  const item = fields === "" ? `class: ${name}` : `class: ${name}, ${fields}`;
  if (/[[{]/.test(source.text.charAt(offset))) {
    const isEmpty = present.kind === "sequence" ? present.items.length === 0 : present.entries.length === 0;
    const added = present.kind === "sequence" ? `{${item}}` : `${name}: ${body}`;
    return { offset: offset + 1, text: isEmpty ? added : `${added}, ` };
  }
  const indent = " ".repeat(source.positionAt(offset).column - 1);
  const added = present.kind === "sequence" ? (fields === "" ? `- ${item}` : `- {${item}}`) : `${name}: ${body}`;
  return { offset, text: `${added}\n${indent}` };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}
