import {
  entryOf,
  textEntry,
  type MappingNode,
  type ScalarNode,
  type YamlNode,
} from "@weft/cwl/document/yaml/yaml-node.ts";
import { YamlText, type YamlPath } from "../edit/yaml-text.ts";
import type { YamlValue } from "../edit/yaml-nodes.ts";
import { applyEdits } from "./apply-edits.ts";
import { portName, processId, sourceNames, type SourceNames } from "./link-names.ts";
import { Rewriter, SHARED } from "./rewriter.ts";

export interface Draft3Upgrade {
  /** The document as v1.0. */
  readonly text: string;
  readonly changes: readonly string[];
  /** Problems that must be fixed first; if there are any, the text must not be used. */
  readonly problems: readonly string[];
}

/**
 * Upgrades a document of draft-3 to v1.0 by editing its text: CWL v1.0 CommandLineTool.html#Changelog and Workflow.html#Changelog.
 * Also upgrades forms of draft-2 that documents of draft-3 still used (`#step.port`, `import`, secondary files in bindings).
 */
export function upgradeDraft3(root: MappingNode): Draft3Upgrade {
  const upgrader = new Upgrader();
  const { rewriter } = upgrader;
  const graph = entryOf(root, "$graph")?.value;
  const version = entryOf(root, "cwlVersion")?.value;
  if (version?.kind === "scalar") rewriter.setText(version, "v1.0");
  if (graph === undefined) upgrader.process(root, []);
  else each(graph, ["$graph"], (item, path) => upgrader.process(item, path));
  upgrader.directives(root);
  const edits = rewriter.editsOf(root);
  const { changes, problems } = rewriter;
  if (problems.length > 0) return { text: "", changes, problems };
  return { text: moveAll(applyEdits(root.source.text, edits), upgrader.moves), changes, problems };
}

/** Moves secondary files from bindings to their parameters. */
function moveAll(text: string, paths: readonly YamlPath[]): string {
  const yaml = paths.length === 0 ? undefined : YamlText.parse(text);
  if (yaml === undefined) return text;
  for (const path of paths) {
    const value = yaml.get(path) as YamlValue | undefined; // parsed YAML is data
    if (value === undefined) continue;
    yaml.remove(path);
    yaml.set([...path.slice(0, -2), "secondaryFiles"], value);
  }
  return yaml.text;
}

/** Calls `visit` for the items of a list or the values of a map. */
function each(node: YamlNode | undefined, path: YamlPath, visit: (node: YamlNode, path: YamlPath) => void): void {
  if (node?.kind === "sequence") for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
  if (node?.kind === "mapping") for (const { key, value } of node.entries) visit(value, [...path, key]);
}

const CLASSES = new Set(["CommandLineTool", "ExpressionTool", "Workflow"]);

/** Collects the edits. The paths of `moves` refer to the document after the edits. */
class Upgrader {
  readonly rewriter = new Rewriter();
  readonly moves: YamlPath[] = [];
  readonly #moved = new Set<ScalarNode>();

  process(node: YamlNode, path: YamlPath): void {
    const { rewriter } = this;
    if (node.kind !== "mapping" || isDirective(node)) return;
    const name = textEntry(node, "class") ?? "";
    if (!CLASSES.has(name)) return rewriter.refuse(node, `draft-3 has no process class \`${name}\``);
    const sourceOf = name === "Workflow" ? sourceNames(node) : undefined;
    const version = entryOf(node, "cwlVersion")?.value;
    if (version?.kind === "scalar" && String(version.value).includes("draft-3")) rewriter.setText(version, "v1.0");
    this.#identifier(node, []);
    rewriter.rename(node, "description", "doc");
    const parameter = (child: YamlNode, at: YamlPath) => this.#parameter(child, at, processId(node));
    each(entryOf(node, "inputs")?.value, [...path, "inputs"], parameter);
    each(entryOf(node, "outputs")?.value, [...path, "outputs"], parameter);
    this.#requirements(node, path);
    if (sourceOf === undefined) return;
    each(entryOf(node, "outputs")?.value, path, (child) => this.#workflowOutput(child, sourceOf));
    each(entryOf(node, "steps")?.value, [...path, "steps"], (child, at) =>
      this.#step(child, at, { id: processId(node), sourceOf }),
    );
  }

  /** Replaces `import: x` and `@import: x` with `$import: x`. Refuses everything else that only draft-2 had. */
  directives(node: YamlNode): void {
    if (node.kind !== "mapping") return each(node, [], (child) => this.directives(child));
    if (entryOf(node, "engine") !== undefined && entryOf(node, "script") !== undefined)
      this.rewriter.refuse(
        node,
        "expressions with `engine` and `script` belong to draft-2; write `$(…)` or `${…}` instead",
      );
    if (textEntry(node, "class") === "ExpressionEngineRequirement")
      this.rewriter.refuse(node, "draft-3 has no ExpressionEngineRequirement; use InlineJavascriptRequirement");
    for (const { key, keyNode, value } of node.entries) {
      if (isDirective(node) && value.kind === "scalar") this.#directive(node, keyNode, value);
      else if (key.startsWith("@"))
        this.rewriter.refuse(keyNode, `\`${key}\` belongs to draft-2 and has to be rewritten by hand`);
      if (key === "run" && value.kind === "mapping" && isImport(value)) this.#run(value);
      else if (key !== "default" && !key.includes(":")) this.directives(value);
    }
  }

  #directive(node: MappingNode, keyNode: ScalarNode, value: ScalarNode): void {
    const key = String(keyNode.value);
    const name = key.replace(/^[$@]?/, "$");
    if (key !== name) this.rewriter.rename(node, key, name);
    if (name === "$import")
      this.rewriter.note(node, `\`${String(value.value)}\` is a part of this document that stays as it is`);
  }

  /** Replaces `run: {import: tool.cwl}` with `run: tool.cwl`. */
  #run(node: MappingNode): void {
    const { text } = node.source;
    const value = node.entries[0]?.value;
    if (value?.kind !== "scalar") return this.rewriter.refuse(node, "an import needs the name of a document");
    this.rewriter.replace({ offset: node.offset, end: value.offset, text: "" });
    this.rewriter.note(node, "`run` names its document directly");
    if (text.charAt(node.offset) !== "{") return;
    const rest = /^[\s,]*\}/.exec(text.slice(value.end, value.end + 1000))?.[0];
    if (rest === undefined) this.rewriter.refuse(node, "write this import on one line");
    else this.rewriter.replace({ offset: value.end, end: value.end + rest.length, text: "" });
  }

  #identifier(node: MappingNode, owners: readonly string[], field = "id"): void {
    const id = entryOf(node, field)?.value;
    if (id?.kind !== "scalar" || typeof id.value !== "string") return;
    const isLocal = id.value.startsWith("#");
    if (isLocal) this.#name(id, portName(id.value, owners));
  }

  #name(node: ScalarNode, name: string): void {
    if (node.value === name) return;
    this.rewriter.setText(node, name);
    this.rewriter.note(node, "names have no `#`, and the parts of a source are separated by `/`");
  }

  #parameter(node: YamlNode, path: YamlPath, owner: string): void {
    if (node.kind !== "mapping") return;
    this.#identifier(node, [owner]);
    this.#documented(node, path);
    this.#type(entryOf(node, "type")?.value, [...path, "type"]);
  }

  /** Upgrades the fields that parameters, record fields and types have in common. */
  #documented(node: MappingNode, path: YamlPath): void {
    this.rewriter.rename(node, "description", "doc");
    for (const field of ["inputBinding", "outputBinding"]) {
      const binding = entryOf(node, field)?.value;
      if (binding?.kind === "mapping") this.#binding(node, binding, [...path, field]);
    }
  }

  #binding(parameter: MappingNode, binding: MappingNode, path: YamlPath): void {
    const { rewriter } = this;
    const loads = entryOf(binding, "loadContents");
    if (loads?.value.kind === "scalar" && loads.value.value === true)
      rewriter.note(loads.keyNode, "`loadContents` fails for files above 64 KiB; draft-3 loads their beginning");
    const files = entryOf(binding, "secondaryFiles");
    if (files === undefined) return;
    if (entryOf(parameter, "secondaryFiles") !== undefined)
      return rewriter.refuse(
        files.keyNode,
        "both the parameter and its binding have `secondaryFiles`; keep the parameter's",
      );
    if (["items", "fields", "symbols"].some((field) => entryOf(parameter, field) !== undefined))
      return rewriter.refuse(files.keyNode, "types have no `secondaryFiles`; move them to the parameter by hand");
    if (this.#moved.has(files.keyNode)) return rewriter.refuse(files.keyNode, SHARED);
    this.#moved.add(files.keyNode);
    this.moves.push([...path, "secondaryFiles"]);
    rewriter.note(files.keyNode, "`secondaryFiles` moved from the binding to the parameter");
    if (hasComment(files.keyNode, files.value))
      rewriter.refuse(files.keyNode, "move the comment at these `secondaryFiles` elsewhere: they move without it");
  }

  #type(node: YamlNode | undefined, path: YamlPath): void {
    if (node?.kind === "sequence") return each(node, path, (child, at) => this.#type(child, at));
    if (node?.kind !== "mapping" || isDirective(node)) return;
    this.#documented(node, path);
    each(entryOf(node, "fields")?.value, [...path, "fields"], (field, at) => {
      if (field.kind !== "mapping") return;
      this.#documented(field, at);
      this.#identifier(field, [], "name");
      this.#type(entryOf(field, "type")?.value, [...at, "type"]);
    });
    this.#type(entryOf(node, "items")?.value, [...path, "items"]);
    this.#type(entryOf(node, "type")?.value, [...path, "type"]);
  }

  #requirements(node: MappingNode, path: YamlPath): void {
    for (const field of ["requirements", "hints"])
      each(entryOf(node, field)?.value, [...path, field], (child, at) => {
        if (child.kind !== "mapping") return;
        if (textEntry(child, "class") === "CreateFileRequirement") this.#createFiles(child);
        each(entryOf(child, "types")?.value, [...at, "types"], (type, inner) => this.#type(type, inner));
      });
  }

  #createFiles(node: MappingNode): void {
    const name = entryOf(node, "class")?.value;
    if (name?.kind === "scalar") this.rewriter.setText(name, "InitialWorkDirRequirement");
    this.rewriter.note(node, "CreateFileRequirement is now InitialWorkDirRequirement");
    this.rewriter.rename(node, "fileDef", "listing");
    each(entryOf(node, "fileDef")?.value, [], (file) => {
      if (file.kind !== "mapping") return;
      this.rewriter.rename(file, "filename", "entryname");
      this.rewriter.rename(file, "fileContent", "entry");
    });
  }

  #workflowOutput(node: YamlNode, sourceOf: SourceNames): void {
    if (node.kind !== "mapping") return;
    this.#sources(node, sourceOf);
    this.rewriter.rename(node, "source", "outputSource");
  }

  #sources(node: MappingNode, sourceOf: SourceNames): void {
    const source = entryOf(node, "source")?.value;
    for (const one of scalarsOf(source)) {
      const name = sourceOf(String(one.value));
      if (name !== undefined) this.#name(one, name);
      else
        this.rewriter.refuse(
          one,
          `\`${String(one.value)}\` is neither an input of this workflow nor an output of a step`,
        );
    }
  }

  #step(node: YamlNode, path: YamlPath, workflow: { readonly id: string; readonly sourceOf: SourceNames }): void {
    if (node.kind !== "mapping") return;
    const owners = [workflow.id, portName(textEntry(node, "id") ?? "", [workflow.id])];
    this.#identifier(node, [workflow.id]);
    this.rewriter.rename(node, "description", "doc");
    this.rewriter.rename(node, "inputs", "in");
    this.rewriter.rename(node, "outputs", "out");
    each(entryOf(node, "inputs")?.value, path, (input) => {
      if (input.kind !== "mapping") return;
      this.#identifier(input, owners);
      this.#sources(input, workflow.sourceOf);
    });
    each(entryOf(node, "outputs")?.value, path, (output) => {
      if (output.kind === "mapping") this.#identifier(output, owners);
      for (const name of scalarsOf(output)) this.#name(name, portName(String(name.value), owners));
    });
    for (const name of scalarsOf(entryOf(node, "scatter")?.value))
      this.#name(name, portName(String(name.value), owners));
    this.#requirements(node, path);
    const run = entryOf(node, "run")?.value;
    if (run !== undefined) this.process(run, [...path, "run"]);
  }
}

function scalarsOf(node: YamlNode | undefined): readonly ScalarNode[] {
  const nodes = node?.kind === "sequence" ? node.items : [node];
  return nodes.filter((one) => one?.kind === "scalar").filter(({ value }) => value !== null);
}

/** A map with nothing but a reference to another file. */
function isDirective(node: MappingNode): boolean {
  return node.entries.length === 1 && /^[$@]?(import|include)$/.test(node.entries[0]?.key ?? "");
}

function isImport(node: MappingNode): boolean {
  return isDirective(node) && node.entries[0]?.key.endsWith("import") === true;
}

/** True if there is a comment within an entry or at its end. */
function hasComment(key: ScalarNode, value: YamlNode): boolean {
  const { text } = key.source;
  const end = text.indexOf("\n", lastEnd(value));
  return /\s#/.test(text.slice(key.offset, end === -1 ? text.length : end));
}

function lastEnd(node: YamlNode): number {
  if (node.kind === "scalar") return node.end;
  const last = node.kind === "sequence" ? node.items.at(-1) : node.entries.at(-1)?.value;
  return last === undefined ? node.offset : lastEnd(last);
}
