import { collectSources } from "@weft/cwl/links/link-source.ts";
import { lookUp } from "@weft/cwl/expression/static/static-value.ts";
import type { YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";
import { allProcesses, type Analysis } from "./analysis.ts";
import { REQUIREMENT_READERS } from "@weft/cwl/document/requirement/requirement-tables.ts";
import { findCursor, type Cursor } from "./cursor.ts";
import { segmentsOf, siteAt } from "./expression-names.ts";
import { occurrencesIn } from "./occurrences.ts";
import { TYPE_DOCS, fieldsOf } from "./schema.ts";
import { isWithin, offsetAt, type EditorPosition } from "./text-range.ts";

/** An explanation of the item at a position, as Markdown; undefined if nothing is known about it. */
export function hoverAt(analysis: Analysis, position: EditorPosition): string | undefined {
  const offset = offsetAt(analysis.text, position);
  return expressionHover(analysis, offset) ?? parameterHover(analysis, position) ?? fieldHover(analysis, offset);
}

/** The type of `inputs.reads.path` up to the part under the cursor. */
function expressionHover(analysis: Analysis, offset: number): string | undefined {
  const site = siteAt(analysis, offset);
  if (site === undefined) return undefined;
  const before = /[\w.[\]'"]*$/.exec(analysis.text.slice(0, offset))?.[0] ?? "";
  const after = /^\w*/.exec(analysis.text.slice(offset))?.[0] ?? "";
  const [root, ...segments] = segmentsOf(`${before}${after}.`);
  if (root !== "inputs" && root !== "self" && root !== "runtime") return undefined;
  const value = lookUp(site.names[root], root, segments);
  if ("message" in value) return undefined;
  const path = [
    root,
    ...segments.map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${segment}`)),
  ].join("");
  return `\`${path}\`: ${typeText(value.type)}`;
}

function parameterHover(analysis: Analysis, position: EditorPosition): string | undefined {
  const occurrence = occurrencesIn(analysis).find(
    ({ range }) => range.uri === analysis.uri && isWithin(range, position),
  );
  if (occurrence === undefined) return undefined;
  const processes = allProcesses(analysis.processes);
  const owner = processes.find(({ id }) => occurrence.symbol.startsWith(`${id} `));
  if (owner === undefined) return undefined;
  const { kind, name } = occurrence;
  if (kind === "step") {
    const step = owner.class === "Workflow" ? owner.steps.find(({ id }) => id === name) : undefined;
    return step === undefined
      ? undefined
      : described(
          `step \`${name}\` runs ${step.run.class} \`${step.run.name}\``,
          step.doc ?? step.run.doc ?? step.run.label,
        );
  }
  const parameters = kind === "input" ? owner.inputs : owner.outputs;
  const parameter = parameters.find(({ id }) => id === name);
  if (parameter === undefined) return undefined;
  const defaultText = "default" in parameter ? `, default \`${JSON.stringify(parameter.default)}\`` : "";
  const head = `${kind} \`${name}\` of ${owner.name}: ${typeText(parameter.type)}${defaultText}`;
  return described(head + asSource(analysis, name, kind), parameter.doc ?? parameter.label);
}

/** The type of an output as a source, if it differs: the output of a scattered step is a list. */
function asSource({ processes, text }: Analysis, name: string, kind: string): string {
  if (kind !== "output") return "";
  const types = processes.flatMap((process) =>
    process.class === "Workflow"
      ? [...collectSources(process).values()].filter(
          (source) => source.name.endsWith(`/${name}`) && text.includes(source.name),
        )
      : [],
  );
  const [only, second] = types;
  return only === undefined || second !== undefined ? "" : `; as source \`${only.name}\`: ${typeText(only.type)}`;
}

function described(head: string, doc: string | undefined): string {
  return doc === undefined ? head : `${head}\n\n${doc}`;
}

function fieldHover({ root }: Analysis, offset: number): string | undefined {
  if (root === undefined) return undefined;
  let under: YamlNode | undefined;
  const cursor = findCursor(root, (node) => {
    const isUnder =
      node.kind === "scalar" && node.source === root.source && node.offset <= offset && offset <= node.end;
    if (isUnder) under = node;
    return isUnder;
  });
  if (cursor === undefined || under?.kind !== "scalar") return undefined;
  return cursor.isKey ? keyHover(cursor, String(under.value)) : valueHover(cursor, String(under.value));
}

function keyHover({ kind = "", field }: Cursor, key: string): string | undefined {
  const requirement = REQUIREMENT_READERS.get(key)?.doc;
  if (requirement !== undefined) return `**${key}**\n\n${requirement}`;
  const info = field === undefined ? fieldsOf(kind).get(key) : undefined;
  if (info === undefined) return undefined;
  const defaultText = info.default === undefined ? "" : `, default \`${info.default}\``;
  const words = info.words === undefined ? "" : `\n\nOne of ${info.words.map((word) => `\`${word}\``).join(", ")}.`;
  return `**${key}** (${info.type}${defaultText})\n\n${info.doc}${words}`;
}

function valueHover({ info, field }: Cursor, value: string): string | undefined {
  if (field === "class") {
    const doc = REQUIREMENT_READERS.get(value)?.doc;
    return doc === undefined ? undefined : `**${value}**\n\n${doc}`;
  }
  const name = value.replace(/(\[\]|\?)+$/, "");
  const doc = info?.value === "type" ? TYPE_DOCS.get(name) : undefined;
  return doc === undefined ? undefined : `**${name}**\n\n${doc}`;
}
