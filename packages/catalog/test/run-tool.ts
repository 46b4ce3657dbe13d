// Runs a tool of the catalog as its document says, in a fresh folder: as much of CWL as these documents use and no
// more. It is a second reading of the documents, independent of the engine that will run them in earnest.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, matchesGlob, resolve } from "node:path";
import { documentOf, toolAt, type CwlFile, type Tool, type ToolInput } from "./documents.ts";

export type InputValue = string | number | boolean | null | readonly (string | number)[];

export interface ToolResult {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly folder: string;
  readonly files: readonly string[];
  /** The absolute path of the one file that an output's glob finds. */
  readonly output: (id: string) => string;
  /** The text of that file. */
  readonly text: (id: string) => string;
}

export interface RunOptions {
  readonly stagedBy?: "symlink" | "copy";
  readonly node?: string;
}

const folders: string[] = [];
process.once("exit", () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder that is gone when the process has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "weft-catalog-"));
  folders.push(folder);
  return folder;
}

/** Runs a tool, which has to succeed. */
export function completed(...run: Parameters<typeof runTool>): ToolResult {
  const result = runTool(...run);
  assert.equal(result.exitCode, 0, result.stderr);
  return result;
}

/** Runs a tool, `smooth/1.0.0`; files among the inputs are given as absolute paths. */
export function runTool(
  path: string,
  inputs: Readonly<Record<string, InputValue>>,
  options: RunOptions = {},
): ToolResult {
  const document = documentOf(path);
  const tool = toolAt(path);
  const [staging, folder] = [temporaryFolder(), temporaryFolder()];
  const values = Object.fromEntries(
    tool.inputs.map((input) => [input.id, valueOf(input, inputs, { document, staging, options })]),
  );
  const text = (template: string) =>
    template.replaceAll(/\$\(inputs\.(\w+)(?:\.(\w+))?\)/g, (_all, id: string, part?: string) =>
      referenced(values[id], part),
    );
  const argv = commandLine(tool, values);
  const [program, ...rest] = isShell(tool) ? ["sh", "-c", argv.join(" ")] : argv;
  const stdin = tool.stdin === undefined ? ("ignore" as const) : openSync(text(tool.stdin), "r");
  const stdout = tool.stdout === undefined ? ("ignore" as const) : openSync(join(folder, text(tool.stdout)), "w");
  const result = spawnSync(program === "node" ? (options.node ?? process.execPath) : (program ?? ""), rest, {
    cwd: folder,
    env: { PATH: process.env["PATH"], TMPDIR: temporaryFolder(), ...environmentOf(tool) },
    stdio: [stdin, stdout, "pipe"],
  });
  [stdin, stdout].forEach((handle) => typeof handle === "number" && closeSync(handle));
  const files = readdirSync(folder).toSorted();
  const output = (id: string) => outputOf(tool, id, { folder, files, text });
  const { status: exitCode, stderr } = result;
  return { exitCode, stderr: String(stderr), folder, files, output, text: (id) => readFileSync(output(id), "utf8") };
}

interface Staging {
  readonly document: string;
  readonly staging: string;
  readonly options: RunOptions;
}

function valueOf(
  input: ToolInput,
  inputs: Readonly<Record<string, InputValue>>,
  { document, staging, options }: Staging,
): InputValue {
  const given = inputs[input.id];
  if (given !== undefined) return given;
  const fallback = input.default;
  if (fallback === undefined) return null;
  return isFile(fallback) ? stage(fallback, { document, staging, options }) : (fallback as InputValue);
}

/** Secondary files land next to their primary file, wherever both came from. */
function stage(file: CwlFile, { document, staging, options }: Staging): string {
  const folder = join(staging, String(readdirSync(staging).length));
  mkdirSync(folder);
  const put = options.stagedBy === "copy" ? copyFileSync : symlinkSync;
  for (const one of [file, ...(file.secondaryFiles ?? [])]) {
    const source = resolve(dirname(document), one.location ?? "");
    put(source, join(folder, basename(source)));
  }
  return join(folder, basename(file.location ?? ""));
}

function commandLine(tool: Tool, values: Readonly<Record<string, InputValue>>): string[] {
  const shell = isShell(tool);
  const fixed = (tool.arguments ?? []).map((one) =>
    typeof one === "string" ? (shell ? quoted(one) : one) : one.valueFrom,
  );
  const bound = tool.inputs
    .flatMap((input) => bindingsOf(input).map((binding) => ({ binding, input })))
    .toSorted(
      (one, other) =>
        (one.binding.position ?? 0) - (other.binding.position ?? 0) || (one.input.id < other.input.id ? -1 : 1),
    )
    .flatMap(({ binding, input }) => words(values[input.id] ?? null, binding));
  return [...[tool.baseCommand].flat(), ...fixed, ...bound];
}

interface Binding {
  readonly position?: number;
  readonly prefix?: string;
  readonly separate?: boolean;
  readonly itemSeparator?: string;
}

// A binding on the items of an array takes the position of the array's own.
function bindingsOf(input: ToolInput): Binding[] {
  const types = [input.type].flat();
  const ofItems = types
    .map((type) => (typeof type === "object" ? type.inputBinding : undefined))
    .find((one) => one !== undefined);
  return input.inputBinding === undefined ? [] : [{ ...input.inputBinding, ...ofItems }];
}

function words(value: InputValue, { prefix, separate = true, itemSeparator }: Binding): string[] {
  if (value === null || value === false) return [];
  if (value === true) return prefix === undefined ? [] : [prefix];
  const items = [value].flat().map(String);
  const texts = itemSeparator === undefined ? items : [items.join(itemSeparator)];
  return texts.flatMap((one) => (prefix === undefined ? [one] : separate ? [prefix, one] : [prefix + one]));
}

function outputOf(
  tool: Tool,
  id: string,
  { folder, files, text }: { folder: string; files: readonly string[]; text: (template: string) => string },
): string {
  const output = tool.outputs.find((one) => one.id === id);
  if (output?.type === "stdout") return join(folder, text(tool.stdout ?? ""));
  const found = files.filter((file) => matchesGlob(file, output?.outputBinding?.glob ?? ""));
  if (found.length !== 1) throw new Error(`${id}: found ${found.length} of ${files.join(", ")}`);
  return join(folder, found[0] ?? "");
}

function referenced(value: InputValue | undefined, part: string | undefined): string {
  if (part === undefined || part === "path") return String(value);
  const name = basename(String(value));
  return part === "nameroot" ? name.replace(/(?<=.)\.[^.]*$/, "") : name;
}

function environmentOf(tool: Tool): Record<string, string> {
  return Object.assign(
    {},
    ...(tool.requirements ?? []).map((one) => (one.class === "EnvVarRequirement" ? one["envDef"] : {})),
  );
}

function isShell(tool: Tool): boolean {
  return (tool.requirements ?? []).some((one) => one.class === "ShellCommandRequirement");
}

function isFile(value: unknown): value is CwlFile {
  return typeof value === "object" && value !== null && "class" in value && value.class === "File";
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
