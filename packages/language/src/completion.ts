/**
 * Replaces the word at the cursor with a marker and loads the document. The marker's position in the tree shows which
 * field is being completed; its position in the model shows the names to which the word can refer.
 */
import { relativeReference } from "@weft/cwl/values/resolve-reference.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { parseYaml } from "@weft/cwl/document/yaml/parse-yaml.ts";
import { SourceText } from "@weft/cwl/document/yaml/source-text.ts";
import type { YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import { collectSources } from "@weft/cwl/links/link-source.ts";
import { assignability } from "@weft/cwl/model/assignability.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { Process, Workflow, WorkflowStep } from "@weft/cwl/model/process.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";
import { allProcesses, analyze, type Analysis, type AnalysisOptions } from "./analysis.ts";
import { REQUIREMENT_READERS } from "@weft/cwl/document/requirement/requirement-tables.ts";
import { findCursor, type Cursor } from "./cursor.ts";
import { expressionNames } from "./expression-names.ts";
import { fieldsOf, TYPE_DOCS } from "./schema.ts";
import { offsetAt, type EditorPosition } from "./text-range.ts";

export interface CompletionItem {
  readonly label: string;
  readonly kind: "field" | "class" | "type" | "value" | "source" | "file" | "name";
  readonly detail: string;
  readonly insertText: string;
}

export interface CompletionOptions extends AnalysisOptions {
  /** Documents that a step could run, by URI. */
  readonly documents: readonly string[];
}

/** The completions at a position, regardless of the part of the word before the cursor. */
export async function completionsAt(
  uri: string,
  position: EditorPosition,
  options: CompletionOptions,
): Promise<readonly CompletionItem[]> {
  const text = (await options.reader.read(uri)) ?? "";
  const offset = offsetAt(text, position);
  const inExpression = await expressionNames(uri, text, offset, options);
  if (inExpression !== undefined) return inExpression;
  const marked = markedTree(uri, text, offset);
  if (marked === undefined) return [];
  const reader: DocumentReader = {
    read: async (requested) => (requested === uri ? marked.text : options.reader.read(requested)),
  };
  const analysis = await analyze(uri, { reader, parsed: new Map(options.parsed) });
  return itemsAt(marked.cursor, analysis, options);
}

const MARK = "weftCompletesThis";

/** The text with the marker in place of the word at the cursor, in the first form that is YAML. */
function markedTree(uri: string, text: string, offset: number) {
  const before = /[\w$./#:-]*$/.exec(text.slice(0, offset))?.[0] ?? "";
  const after = /^[\w$./#-]*/.exec(text.slice(offset))?.[0] ?? "";
  const head = text.slice(0, offset - before.length);
  const tail = text.slice(offset + after.length);
  const line = head.slice(head.lastIndexOf("\n") + 1);
  const isKey = /^\s*(- )*$/.test(line) && !/^\s*:/.test(tail);
  const closers = closing(line, tail);
  const forms = [...(isKey ? [`${MARK}: `] : []), MARK, ` ${MARK}`, `${MARK}: `, MARK + closers, `${MARK}: ${closers}`];
  for (const form of forms) {
    const candidate = head + form + tail;
    const { root, diagnostics } = parseYaml(new SourceText(uri, candidate));
    const isSound = diagnostics.every(({ severity }) => severity !== "error");
    const cursor = root === undefined || !isSound ? undefined : findCursor(root, isMarked);
    if (cursor !== undefined) return { text: candidate, cursor };
  }
  return undefined;
}

/** The brackets that are open on the line and not closed after the cursor. */
function closing(line: string, tail: string): string {
  const rest = tail.slice(0, tail.indexOf("\n") === -1 ? undefined : tail.indexOf("\n"));
  const count = (part: string, character: string) => part.split(character).length - 1;
  const open = (from: string, to: string) => Math.max(0, count(line, from) - count(line, to) - count(rest, to));
  return "]".repeat(open("[", "]")) + "}".repeat(open("{", "}"));
}

function isMarked(node: YamlNode): boolean {
  return node.kind === "scalar" && typeof node.value === "string" && node.value.includes(MARK);
}

function itemsAt(cursor: Cursor, analysis: Analysis, options: CompletionOptions): readonly CompletionItem[] {
  if (cursor.isKey) return keyItems(cursor, analysis);
  const { info } = cursor;
  if (cursor.field === "class" && cursor.info?.words === undefined) return requirementItems("");
  if (info?.words !== undefined) return info.words.map((word) => item(word, "value", info.doc));
  switch (info?.value) {
    case "type":
      return typeItems(analysis);
    case "source":
      return sourceItems(analysis);
    case "run":
      return options.documents
        .filter((uri) => uri !== analysis.uri)
        .map((uri) => item(relativeReference(uri, analysis.uri), "file", "CWL document"));
    case "format":
      return formatItems(analysis);
    case "scatter":
      return markedSteps(analysis, ({ scatter }) => scatter).flatMap(({ step }) =>
        step.in.map(({ id }) => item(id, "name", "input of the step")),
      );
    case "output-name":
      return markedSteps(analysis, ({ out }) => out).flatMap(({ step }) =>
        step.run.outputs.map(({ id, type }) => item(id, "name", typeText(type))),
      );
    default:
      return [];
  }
}

function item(label: string, kind: CompletionItem["kind"], detail: string, insertText = label): CompletionItem {
  return { label, kind, detail, insertText };
}

function keyItems({ kind, field, info, object }: Cursor, analysis: Analysis): readonly CompletionItem[] {
  if (field !== undefined) {
    if (info?.of === "requirement") return requirementItems(": ");
    return info?.of === "stepInput" ? stepInputItems(analysis) : [];
  }
  const present = new Set(object?.kind === "mapping" ? object.entries.map(({ key }) => key) : []);
  return [...fieldsOf(kind ?? "")]
    .filter(([name]) => !present.has(name))
    .map(([name, { type, doc }]) => item(name, "field", `${type}: ${doc}`, `${name}: `));
}

function requirementItems(after: string): readonly CompletionItem[] {
  return [...REQUIREMENT_READERS].map(([name, { doc }]) => item(name, "class", doc, name + after));
}

/** The inputs of the process that a step runs, except those that the step already has. */
function stepInputItems(analysis: Analysis): readonly CompletionItem[] {
  return markedSteps(analysis, (step) => step.in.map(({ id }) => id)).flatMap(({ step }) => {
    const present = new Set(step.in.map(({ id }) => id));
    const missing = step.run.inputs.filter(({ id }) => !present.has(id));
    return missing.map(({ id, type }) => item(id, "name", typeText(type), `${id}: `));
  });
}

function typeItems({ processes }: Analysis): readonly CompletionItem[] {
  const defined = processes.flatMap(({ requirements, hints }) =>
    [...requirements, ...hints].flatMap((one) => (one.class === "SchemaDefRequirement" ? one.types : [])),
  );
  const names = defined.flatMap((type) => ("name" in type && type.name !== undefined ? [type.name] : []));
  return [
    ...[...TYPE_DOCS].map(([name, doc]) => item(name, "type", doc)),
    ...names.map((name) => item(name, "type", "type of this document")),
  ];
}

/** Sources that fit, sources of exactly the same type first. */
function sourceItems(analysis: Analysis): readonly CompletionItem[] {
  const step = markedSteps(analysis, (candidate) => candidate.in.flatMap(({ source }) => source))[0];
  const workflow = step?.workflow ?? workflowWithMarkedOutput(analysis);
  if (workflow === undefined) return [];
  const sink = step === undefined ? outputType(workflow) : inputType(step.step);
  return [...collectSources(workflow).values()]
    .filter(({ name }) => step === undefined || !name.startsWith(`${step.step.id}/`))
    .filter(({ name, type }) => !hasMark(name) && assignability(type, sink) !== "no")
    .toSorted((a, b) => Number(typeText(b.type) === typeText(sink)) - Number(typeText(a.type) === typeText(sink)))
    .map(({ name, type }) => item(name, "source", typeText(type)));
}

function inputType(step: WorkflowStep): CwlType {
  const input = step.in.find(({ source }) => source.some(hasMark));
  const type = step.run.inputs.find(({ id }) => id === input?.id)?.type ?? { kind: "Any" };
  return input !== undefined && step.scatter.includes(input.id) ? { kind: "array", items: type } : type;
}

function outputType(workflow: Workflow): CwlType {
  return workflow.outputs.find(({ outputSource }) => outputSource?.source.some(hasMark))?.type ?? { kind: "Any" };
}

function workflowWithMarkedOutput({ processes }: Analysis): Workflow | undefined {
  return workflowsIn(processes).find(({ outputs }) =>
    outputs.some(({ outputSource }) => outputSource?.source.some(hasMark)),
  );
}

interface MarkedStep {
  readonly workflow: Workflow;
  readonly step: WorkflowStep;
}

function markedSteps({ processes }: Analysis, names: (step: WorkflowStep) => readonly string[]): readonly MarkedStep[] {
  return workflowsIn(processes).flatMap((workflow) =>
    workflow.steps.filter((step) => names(step).some(hasMark)).map((step) => ({ workflow, step })),
  );
}

function workflowsIn(processes: readonly Process[]): readonly Workflow[] {
  return allProcesses(processes).filter((process) => process.class === "Workflow");
}

function hasMark(name: string): boolean {
  return name.includes(MARK);
}

/** Formats that the documents already use, and common ones of EDAM if its prefix is declared. */
function formatItems({ processes, namespaces }: Analysis): readonly CompletionItem[] {
  const prefixes = [...namespaces];
  const shorten = (iri: string) => {
    const known = prefixes.find(([, base]) => iri.startsWith(base));
    return known === undefined ? iri : `${known[0]}:${iri.slice(known[1].length)}`;
  };
  const used = processes.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].flatMap(({ format = [] }) => format));
  const names = used
    .filter((iri) => !iri.includes(MARK) && !iri.includes("$"))
    .map((iri) => item(shorten(iri), "value", "used here"));
  const common = prefixes.some(([, base]) => base === EDAM)
    ? EDAM_FORMATS.map(([number, name]) => item(shorten(`${EDAM}format_${number}`), "value", name))
    : [];
  return [...new Map([...names, ...common].map((one) => [one.label, one])).values()];
}

const EDAM = "http://edamontology.org/";

const EDAM_FORMATS = [
  ["1929", "FASTA"],
  ["1930", "FASTQ"],
  ["2572", "BAM"],
  ["2573", "SAM"],
  ["3462", "CRAM"],
  ["3016", "VCF"],
  ["3003", "BED"],
  ["1975", "GFF3"],
  ["2306", "GTF"],
  ["3475", "TSV"],
  ["3752", "CSV"],
  ["3464", "JSON"],
  ["2330", "plain text"],
  ["2331", "HTML"],
  ["3508", "PDF"],
  ["3603", "PNG"],
  ["4001", "NIfTI"],
  ["3548", "DICOM"],
] as const;
