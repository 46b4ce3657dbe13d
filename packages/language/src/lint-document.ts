import type { Diagnostic, SourcePosition } from "@weft/cwl/diagnostic.ts";
import { inputUses } from "@weft/cwl/expression/static/input-uses.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { CommandLineTool, InputParameter, Process, Workflow } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { holdsText } from "@weft/cwl/model/holds-text.ts";
import type { LoadedSource } from "@weft/cwl/document/document-reader.ts";
import { parseYaml } from "@weft/cwl/document/yaml/parse-yaml.ts";
import { SourceText } from "@weft/cwl/document/yaml/source-text.ts";

/** Warnings about valid but unwise parts of a document, in its process and in inline processes of its steps. */
export function lintDocument(process: Process): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const own of processesIn(process, process.position.file)) lintProcess(own, found);
  return found.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** Warnings about lines that YAML 1.2 requires to be indented deeper, although common CWL runners accept them. */
export function lintIndentation({ uri, text }: LoadedSource): readonly Diagnostic[] {
  const source = new SourceText(uri, text);
  return (parseYaml(source).loose ?? []).map((offset) => ({
    severity: "warning",
    code: "flow-indentation",
    ...source.positionAt(offset),
    message: "YAML 1.2 requires this line to be indented deeper than its key or list item",
    hint: "indent each line of a value in brackets or quotation marks, the closing bracket too",
  }));
}

function* processesIn(process: Process, file: string): Generator<Process> {
  if (process.position.file !== file) return;
  yield process;
  if (process.class === "Workflow") for (const { run } of process.steps) yield* processesIn(run, file);
}

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

function lintProcess(process: Process, found: Diagnostic[]): void {
  const add = (at: SourcePosition, finding: Finding) => found.push({ severity: "warning", ...finding, ...at });
  if (process.doc === undefined) add(process.position, NO_DOC);
  for (const input of unusedInputs(process))
    add(input.position, {
      code: "unused-input",
      message: `nothing uses the input \`${input.id}\``,
      hint: "remove it, or give it an `inputBinding`, an expression or a step",
    });
  if (process.class !== "CommandLineTool") return;
  if (!hasEnvironment(process)) add(process.position, NO_ENVIRONMENT);
  lintShell(process, add);
  for (const output of process.outputs)
    for (const glob of output.outputBinding?.glob ?? [])
      if (isUnbounded(glob)) add(output.position, unbounded(output.id, glob));
}

const NO_DOC = {
  code: "no-doc",
  message: "the process has no `doc`",
  hint: "say in a sentence or two what it does; pages and help show it",
};

const NO_ENVIRONMENT = {
  code: "no-environment",
  message: "the tool names neither a container nor its software",
  hint: "add a DockerRequirement or SoftwareRequirement to `hints`, so that others can run it and versions are known",
};

function hasEnvironment({ requirements, hints }: CommandLineTool): boolean {
  const isOne = ({ class: name }: Requirement) => name === "DockerRequirement" || name === "SoftwareRequirement";
  return [...requirements, ...hints].some(isOne);
}

/** Warns about string values with `shellQuote: false`, which the shell interprets as part of the command. */
function lintShell(tool: CommandLineTool, add: (at: SourcePosition, finding: Finding) => void): void {
  const isShell = ({ class: name }: Requirement) => name === "ShellCommandRequirement";
  if (![...tool.requirements, ...tool.hints].some(isShell)) return;
  for (const { id, type, inputBinding, position } of tool.inputs)
    if (inputBinding?.shellQuote === false && holdsText(type))
      add(position, {
        code: "unquoted-input",
        message: `the shell interprets the value of \`${id}\`: \`; rm -rf .\` in it would run`,
        hint: "remove `shellQuote: false`, or take a File, number or enum instead",
      });
  for (const [index, argument] of tool.arguments.entries()) {
    if (typeof argument === "string" || argument.shellQuote || argument.valueFrom === undefined) continue;
    const names = new Set(inputUses(argument.valueFrom, "any").map(({ name }) => name));
    const risky = tool.inputs.find(({ id, type }) => names.has(id) && holdsText(type));
    if (risky !== undefined)
      add(tool.position, {
        code: "unquoted-input",
        message: `argument ${index + 1} is not quoted and contains the text of \`${risky.id}\`, which the shell interprets`,
        hint: "pass the value by `inputBinding`, or in an environment variable",
      });
  }
}

/** True for patterns that match every file, including temporary ones. */
function isUnbounded(glob: string): boolean {
  return /^(?:\.\/)?\*+(?:\/\*+)*$/.test(glob);
}

function unbounded(id: string, glob: string): Finding {
  return {
    code: "unbounded-glob",
    message: `\`glob: ${JSON.stringify(glob)}\` of \`${id}\` also matches temporary files and logs`,
    hint: "name the files, or at least their extension: `*.bam`",
  };
}

function unusedInputs(process: Process): readonly InputParameter[] {
  if (process.class === "Operation") return [];
  if (process.class === "Workflow") return unusedOfWorkflow(process);
  const { inputs, ...others } = process;
  const texts = [
    ...textsIn(others),
    ...inputs.flatMap((input) => [...textsIn({ ...input, id: "", label: "", doc: "" })]),
  ];
  // A script that goes through all inputs uses each of them.
  if (texts.some((text) => /\$[({][^]*\binputs\b(?!\s*[.[])/.test(text))) return [];
  const used = new Set(texts.flatMap((text) => inputUses(text, "any").map(({ name }) => name)));
  return inputs.filter(({ id, inputBinding, type }) => inputBinding === undefined && !used.has(id) && !isBound(type));
}

function isBound(type: CwlType): boolean {
  return [...keysIn(type)].includes("inputBinding");
}

function unusedOfWorkflow({ inputs, outputs, steps, ...others }: Workflow): readonly InputParameter[] {
  const sources = [
    ...steps.flatMap((step) => step.in.flatMap(({ source }) => source)),
    ...outputs.flatMap(({ outputSource }) => outputSource?.source ?? []),
  ];
  const used = new Set([
    ...sources,
    ...[...textsIn(others)].flatMap((text) => inputUses(text, "any").map(({ name }) => name)),
  ]);
  return inputs.filter(({ id }) => !used.has(id));
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

function* keysIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined) yield key;
    yield* keysIn(inner);
  }
}
