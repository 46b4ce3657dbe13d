import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { analyze, type Analysis } from "@weft/language/analysis.ts";
import { completionsAt, type CompletionItem } from "@weft/language/completion.ts";
import { fixesFor } from "@weft/language/fixes.ts";
import { formatDocument } from "@weft/language/format.ts";
import { hoverAt } from "@weft/language/hover.ts";
import { locateFailure, type FailurePlace } from "@weft/language/locate-failure.ts";
import { definitionAt, renamableAt, renameAt } from "@weft/language/navigate.ts";
import { symbolsIn, type DocumentSymbol } from "@weft/language/symbols.ts";
import { offsetAt, type EditorPosition, type TextEdit } from "@weft/language/text-range.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { relativeReference } from "@weft/cwl/values/resolve-reference.ts";
import { describeNode, type NodeView } from "@weft/language/edit/describe-ports.ts";
import { portsOfSteps, type NodePorts } from "@weft/language/edit/drawn-ports.ts";
import { compatiblePorts, waysToConnect, type PortPlace, type Way } from "@weft/language/edit/ways-to-connect.ts";
import { groupSteps } from "@weft/language/edit/group-steps.ts";
import { ungroupStep } from "@weft/language/edit/ungroup-step.ts";
import { applyGesture } from "@weft/language/edit/network-gesture.ts";
import type { Workflow } from "@weft/cwl/model/process.ts";
import { describeGraph } from "@weft/cwl/workflow/describe-graph.ts";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { pathOfUri, uriOfPath, withPaths } from "./catalog-files.ts";
import { freeName, planAction, type DrawingAction, type PlannedAction } from "./plan-action.ts";

/** A change of the text; offsets in UTF-16 code units. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** A problem in the document, with its place in the text. */
export interface Problem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string | undefined;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly fixes: readonly { readonly title: string; readonly changes: readonly TextChange[] }[];
}

/** The place of a failure in the text. */
export interface LocatedProblem {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** Path of the document that has the fault, if it is another one. */
  readonly elsewhere: string | undefined;
}

export interface OutlineEntry {
  readonly name: string;
  readonly kind: DocumentSymbol["kind"];
  readonly detail: string;
  readonly from: number;
  readonly children: readonly OutlineEntry[];
}

/** The analysis of a text that an editor shows. */
export interface DocumentView {
  readonly problems: readonly Problem[];
  readonly outline: readonly OutlineEntry[];
  /** The drawing of a network; undefined for a tool, and for a text that cannot be read. */
  readonly graph: GraphRecord | undefined;
  /** Description of the network. */
  readonly note: string | undefined;
  /** The ports of its steps, and notes about them. */
  readonly ports: { readonly [path: string]: NodePorts };
}

export type { CompletionItem, NodeView };

export interface Drawn {
  readonly text: string;
  readonly shown: string;
}

/** The language service of one document. Every request contains the text that it refers to. */
export class DocumentLanguage {
  readonly #uri: string;
  readonly #files: DocumentReader;
  readonly #list: () => Promise<readonly string[]>;
  /** Parsed texts, so that only changed texts are parsed again. */
  readonly #parsed = new Map();

  /** `list`: the URIs of the documents that a step could run. */
  constructor(uri: string, files: DocumentReader, list: () => Promise<readonly string[]>) {
    this.#uri = uri;
    this.#files = files;
    this.#list = list;
  }

  async view(text: string): Promise<DocumentView> {
    const analysis = await this.analyze(text);
    const network = analysis.processes.find((process) => process.class === "Workflow");
    return {
      problems: analysis.diagnostics.map((finding) => toProblem(finding, analysis)),
      outline: symbolsIn(analysis).map((symbol) => toOutline(symbol, text)),
      graph: network === undefined ? undefined : describeGraph(network),
      note: network?.doc,
      ports: network === undefined ? {} : portsOfSteps(network),
    };
  }

  async complete(text: string, offset: number): Promise<readonly CompletionItem[]> {
    const options = { reader: this.#reader(text), parsed: this.#parsed, documents: await this.#list() };
    return completionsAt(this.#uri, positionAt(text, offset), options);
  }

  /** The description of a place, in Markdown. */
  async hover(text: string, offset: number): Promise<string | undefined> {
    return hoverAt(await this.analyze(text), positionAt(text, offset));
  }

  /** The offset of the declaration of the symbol at a place; undefined if it is not in this document. */
  async define(text: string, offset: number): Promise<number | undefined> {
    const found = definitionAt(await this.analyze(text), positionAt(text, offset));
    const own = found.find(({ uri }) => uri === this.#uri);
    return own && offsetAt(text, own.start);
  }

  /** The name of the symbol at a place that can be renamed. */
  async nameAt(text: string, offset: number): Promise<string | undefined> {
    return renamableAt(await this.analyze(text), positionAt(text, offset))?.name;
  }

  async rename(
    text: string,
    offset: number,
    name: string,
  ): Promise<{ readonly changes: readonly TextChange[] } | { readonly refusal: string }> {
    const renaming = renameAt(await this.analyze(text), positionAt(text, offset), name, []);
    return "refusal" in renaming ? renaming : { changes: toChanges(renaming.edits, this.#uri, text) };
  }

  /** A node of the drawing, by its path. */
  async node(text: string, path: string): Promise<NodeView | undefined> {
    const network = await this.#network(text);
    return network && describeNode(network, path);
  }

  /** The ports that accept the values of a source. */
  async compatiblePorts(text: string, source: string): Promise<readonly PortPlace[]> {
    const network = await this.#network(text);
    return network === undefined ? [] : compatiblePorts(network, source);
  }

  /** The possible meanings of a line from a source to a node, or to one of its ports. */
  async ways(
    text: string,
    source: string,
    to: { readonly path: string; readonly port?: string },
  ): Promise<readonly Way[]> {
    const network = await this.#network(text);
    return network === undefined ? [] : waysToConnect(network, source, to);
  }

  /** The text after an action in the drawing, and the path of the affected node. */
  async draw(text: string, action: DrawingAction): Promise<Drawn | { readonly refusal: string }> {
    const network = await this.#network(text);
    if (network === undefined) return { refusal: "Fix the errors in the text first." };
    if (action.kind === "group" || action.kind === "ungroup") return regroup(text, action, network);
    const gesture = action.kind === "step" ? await this.#stepOf(action, network, text) : planAction(action, network);
    if ("refusal" in gesture) return gesture;
    let drawn: string | undefined = text;
    for (const each of gesture.gestures) drawn = drawn === undefined ? undefined : applyGesture(drawn, each);
    if (drawn === undefined) return { refusal: "Fix the errors in the text first." };
    if (action.kind === "step" && action.after !== undefined)
      drawn = await this.#connectAfter(drawn, action.after, gesture.shown);
    return { text: drawn, shown: gesture.shown };
  }

  /** Renames a step, an input or an output with everything that refers to it. */
  async renameNode(text: string, path: string, name: string): ReturnType<DocumentLanguage["rename"]> {
    const analysis = await this.analyze(text);
    const [kind, id] = path.includes(":") ? (path.split(":", 2) as [string, string]) : ["step", path];
    const own = symbolsIn(analysis).flatMap(({ children }) => children);
    const symbol = own.find((child) => child.kind === kind && child.name === id);
    if (symbol === undefined) return { refusal: `${id} is not declared in this text.` };
    return this.rename(text, offsetAt(text, symbol.range.start), name);
  }

  /** The part of the text that caused the failure of a run. */
  async locate(text: string, failure: FailurePlace): Promise<LocatedProblem | undefined> {
    const found = locateFailure(await this.analyze(text), failure);
    if (found === undefined) return undefined;
    const { start, end } = found.range;
    return {
      line: start.line + 1,
      from: offsetAt(text, start),
      to: offsetAt(text, end),
      elsewhere: found.elsewhere && pathOfUri(found.elsewhere),
    };
  }

  format(text: string): string {
    return formatDocument(text);
  }

  analyze(text: string): Promise<Analysis> {
    return analyze(this.#uri, { reader: this.#reader(text), parsed: this.#parsed });
  }

  async #network(text: string): Promise<Workflow | undefined> {
    const { processes } = await this.analyze(text);
    return processes.find((process) => process.class === "Workflow");
  }

  async #stepOf(
    { path, name }: Extract<DrawingAction, { readonly kind: "step" }>,
    network: Workflow,
    text: string,
  ): Promise<PlannedAction> {
    const uri = uriOfPath(path);
    const { process } = await loadDocument(uri, { reader: this.#reader(text) });
    if (process === undefined) return { refusal: `${path} cannot be read.` };
    const shown = freeName(name.replaceAll(/[^A-Za-z0-9_]+/g, "_"), network);
    const outputs = process.outputs.map(({ id }) => id);
    const isNetwork = process.class === "Workflow";
    const run = relativeReference(uri, this.#uri);
    return { gestures: [{ kind: "add-step", name: shown, run, outputs, isNetwork }], shown };
  }

  /** Connects a source to the first input of a step that accepts it directly or by a scatter. */
  async #connectAfter(text: string, source: string, step: string): Promise<string> {
    const ways = await this.ways(text, source, { path: step });
    const way = ways.find(({ kind }) => kind === "direct") ?? ways.find(({ kind }) => kind === "scatter");
    return (way?.gestures ?? []).reduce((before, gesture) => applyGesture(before, gesture) ?? before, text);
  }

  #reader(text: string): DocumentReader {
    return { read: async (uri) => (uri === this.#uri ? text : this.#files.read(uri)) };
  }
}

function regroup(
  text: string,
  action: Extract<DrawingAction, { readonly kind: "group" | "ungroup" }>,
  network: Workflow,
): Drawn | { readonly refusal: string } {
  if (action.kind === "ungroup") {
    const done = ungroupStep(text, action.step);
    return "refusal" in done ? done : { ...done, shown: "" };
  }
  const name = freeName(action.name, network);
  const done = groupSteps(text, { network, steps: action.steps, name });
  return "refusal" in done ? done : { ...done, shown: name };
}

function toProblem(finding: Diagnostic, analysis: Analysis): Problem {
  const { severity, message, hint, file, line, column } = finding;
  const { text, uri } = analysis;
  const isOwn = file === uri;
  const from = isOwn ? offsetAt(text, { line: line - 1, character: column - 1 }) : 0;
  const word = /^[\w$.\-/]+/.exec(text.slice(from, from + 200))?.[0] ?? text.charAt(from).trim();
  const place = isOwn ? "" : `${fileName(file)}:${line}: `;
  return {
    severity,
    message: place + withPaths(message),
    hint,
    line: isOwn ? line : 1,
    from,
    to: isOwn ? from + word.length : from,
    fixes: fixesFor(finding, analysis).map(({ title, edits }) => ({ title, changes: toChanges(edits, uri, text) })),
  };
}

function fileName(uri: string): string {
  return uri.split("/").at(-1) ?? uri;
}

function toChanges(edits: readonly TextEdit[], uri: string, text: string): readonly TextChange[] {
  return edits
    .filter(({ range }) => range.uri === uri)
    .map(({ range, newText }) => ({
      from: offsetAt(text, range.start),
      to: offsetAt(text, range.end),
      insert: newText,
    }))
    .sort((a, b) => a.from - b.from);
}

function toOutline({ name, kind, detail, range, children }: DocumentSymbol, text: string): OutlineEntry {
  return {
    name,
    kind,
    detail,
    from: offsetAt(text, range.start),
    children: children.map((child) => toOutline(child, text)),
  };
}

function positionAt(text: string, offset: number): EditorPosition {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length - 1, character: offset - start };
}
