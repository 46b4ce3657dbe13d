/**
 * `type: stdout`, `stderr` and `stdin` are shorthands for a File and the tool's field of that name.
 * CWL v1.2 CommandLineTool.html#stdout, #stderr, #stdin.
 */
import type { CommandLineTool, InputParameter, OutputParameter } from "../../model/process.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { isSince, readFrom, report, within, type Scope } from "../fields/scope.ts";
import { entryOf, type YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "./load-scope.ts";

type Stream = "stdin" | "stdout" | "stderr";

/** True if the type of a parameter is the shorthand for `stream`. */
export function isStream(type: YamlNode, scope: Scope, stream: Stream): boolean {
  return type.kind === "scalar" && type.value === stream && (stream !== "stdin" || isSince(scope, "v1.1"));
}

/** The tool with its stream parameters spelled out: their bindings, and the files that the streams go to. */
export function spellOutStreams(tool: CommandLineTool, scope: LoadScope): CommandLineTool {
  const files = {
    stdout: outputFile(tool, "stdout", scope),
    stderr: outputFile(tool, "stderr", scope),
  };
  const outputs = tool.outputs.map((output) => {
    if (isOf(output, "stdout", scope) && files.stdout !== undefined) return collected(output, files.stdout, scope);
    if (isOf(output, "stderr", scope) && files.stderr !== undefined) return collected(output, files.stderr, scope);
    return output;
  });
  return { ...tool, outputs, ...omitUndefined({ ...files, stdin: inputFile(tool, scope) }) };
}

function isOf(parameter: object, stream: Stream, scope: LoadScope): boolean {
  const node = scope.nodes.get(parameter);
  const type = node === undefined ? undefined : entryOf(node, "type")?.value;
  return type !== undefined && isStream(type, scope, stream);
}

/** Generated names depend on the tool alone, so that equal jobs produce files with equal names. */
function outputFile(tool: CommandLineTool, stream: "stdout" | "stderr", scope: LoadScope): string | undefined {
  const isNeeded = tool.outputs.some((output) => isOf(output, stream, scope));
  return tool[stream] ?? (isNeeded ? `${tool.name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}.${stream}.txt` : undefined);
}

function collected(output: OutputParameter, file: string, scope: LoadScope): OutputParameter {
  const node = scope.nodes.get(output);
  const binding = node === undefined ? undefined : entryOf(node, "outputBinding");
  if (binding !== undefined) {
    const message = "an output of type stdout or stderr cannot have an `outputBinding`";
    report(within(scope, `outputs.${output.id}`), binding.keyNode, {
      code: "stream-binding",
      message,
    });
  }
  const spelledOut = { ...output, streamable: true, outputBinding: { glob: [file], loadContents: false } };
  return node === undefined ? spelledOut : readFrom(node, spelledOut, scope);
}

function inputFile(tool: CommandLineTool, scope: LoadScope): string | undefined {
  const [input, second] = tool.inputs.filter((candidate) => isOf(candidate, "stdin", scope));
  if (input === undefined) return tool.stdin;
  if (second !== undefined) reportStdin(second, "only one input can be of type stdin", scope);
  if (tool.stdin !== undefined) reportStdin(input, "a tool with `stdin` cannot have an input of type stdin", scope);
  if (input.inputBinding !== undefined)
    reportStdin(input, "an input of type stdin cannot have an `inputBinding`", scope);
  return `$(inputs${/^\w+$/.test(input.id) ? `.${input.id}` : `[${JSON.stringify(input.id)}]`}.path)`;
}

function reportStdin(input: InputParameter, message: string, scope: LoadScope): void {
  const node = scope.nodes.get(input);
  if (node !== undefined) report(within(scope, `inputs.${input.id}`), node, { code: "stream-binding", message });
}
