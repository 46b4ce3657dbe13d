import type { InferredInput, InferredTool } from "./infer-tool.ts";

export interface ToolFacts {
  /** Absent: the name of the program. */
  readonly label?: string;
  /** The command line from which the tool was created. */
  readonly command: string;
  /** First sentence of the program's help. */
  readonly summary: string | undefined;
  /** The package of the program, if the system knows it. */
  readonly software: { readonly name: string; readonly version: string } | undefined;
  /** The container image, if any. */
  readonly image: string | undefined;
}

/** A CommandLineTool as YAML. */
export function writeTool(tool: InferredTool, facts: ToolFacts): string {
  const name = tool.baseCommand.map((word) => word.split("/").at(-1)).join(" ");
  return [
    "#!/usr/bin/env cwl-runner",
    "cwlVersion: v1.2",
    "class: CommandLineTool",
    `label: ${quoted(facts.label ?? name)}`,
    "doc: |",
    `  ${oneLine(facts.summary ?? `Runs ${name}.`)}`,
    "",
    `  Made from: ${oneLine(facts.command)}`,
    ...hintsOf(facts),
    `baseCommand: [${tool.baseCommand.map(quoted).join(", ")}]`,
    tool.inputs.length === 0 ? "inputs: {}" : "inputs:",
    ...tool.inputs.flatMap((input) => inputLines(input, tool)),
    ...(tool.stdin === undefined ? [] : [`stdin: $(inputs.${tool.stdin}.path)`]),
    ...(tool.stdout === undefined ? [] : [`stdout: ${quoted(tool.stdout)}`]),
    ...outputLines(tool),
    "",
  ].join("\n");
}

function hintsOf({ software, image }: ToolFacts): readonly string[] {
  if (software === undefined && image === undefined) return [];
  return [
    "hints:",
    ...(image === undefined ? [] : ["  DockerRequirement:", `    dockerPull: ${quoted(image)}`]),
    ...(software === undefined
      ? []
      : [
          "  SoftwareRequirement:",
          "    packages:",
          `      ${software.name}:`,
          `        version: [${quoted(software.version)}]`,
        ]),
  ];
}

function inputLines(input: InferredInput, tool: InferredTool): readonly string[] {
  const { id, type, isOptional, example, isOutputName, doc, position, prefix, separate } = input;
  const binding = [
    `position: ${position}`,
    ...(prefix === undefined ? [] : [`prefix: ${quoted(prefix)}`]),
    ...(separate ? [] : ["separate: false"]),
  ];
  const hasDefault = example !== undefined && type !== "File" && type !== "Directory";
  return [
    `  ${id}:`,
    `    type: ${type}${isOptional ? "?" : ""}`,
    ...(isOutputName
      ? ["    doc: Name of the file to write."]
      : doc === undefined
        ? []
        : [`    doc: ${quoted(oneLine(doc))}`]),
    ...(hasDefault ? [`    default: ${typeof example === "string" ? quoted(example) : example}`] : []),
    ...(id === tool.stdin ? [] : [`    inputBinding: { ${binding.join(", ")} }`]),
  ];
}

/** The name of each output, and the input that names its file; undefined for standard output. */
export function outputNames(tool: InferredTool): readonly (readonly [name: string, from: string | undefined])[] {
  const written = tool.inputs.filter(({ isOutputName }) => isOutputName);
  const named = written.map(({ id }, index) => [index === 0 ? "output" : `output_${index + 1}`, id] as const);
  return [...named, ...(tool.stdout === undefined ? [] : [["standard_output", undefined] as const])];
}

function outputLines(tool: InferredTool): readonly string[] {
  const outputs = outputNames(tool);
  if (outputs.length === 0) return ["outputs: {}"];
  return [
    "outputs:",
    ...outputs.flatMap(([name, from]) =>
      from === undefined
        ? [`  ${name}:`, "    type: stdout"]
        : [`  ${name}:`, "    type: File", "    outputBinding:", `      glob: $(inputs.${from})`],
    ),
  ];
}

/** The input object that reproduces the command line. `relative` converts a path of the command line for the example. */
export function writeExample({ inputs }: InferredTool, relative: (path: string) => string): string {
  const files = inputs.filter(({ type }) => type === "File" || type === "Directory");
  if (files.length === 0) return "{}\n";
  return files
    .map(({ id, type, example: path }) => `${id}: { class: ${type}, path: ${quoted(relative(String(path)))} }\n`)
    .join("");
}

/** A tool test that runs the example and expects the outputs. */
export function writeTest(tool: InferredTool): string {
  const outputs = outputNames(tool).map(([name]) => `  ${name}: { class: File }\n`);
  return `inputs: ../examples/example.yml\n${outputs.length === 0 ? "" : `outputs:\n${outputs.join("")}`}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Quotes a string for YAML, and escapes `$(`, `${` and backslashes, which CWL would interpret. */
function quoted(text: string): string {
  if (/^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)) return text;
  return JSON.stringify(text.replaceAll(/\\(?=[$"\\])|\$(?=[({])/g, "\\$&"));
}
