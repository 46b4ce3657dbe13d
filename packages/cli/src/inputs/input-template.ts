import { typeText } from "@weft/cwl/model/type-text.ts";
import type { CwlValue, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import type { InputParameter, Process } from "@weft/cwl/model/process.ts";
import { isArray, isFileOrDirectory, isRecord } from "@weft/cwl/values/value-kind.ts";
import { wrap } from "../output/result-text.ts";
import { exampleValue, placeOf } from "./example-value.ts";
import { withoutNull } from "./input-flags.ts";

const COMMENT_COLUMNS = 98;

/** An input object as YAML with a comment for each input. Optional inputs are commented out, with their defaults. */
export function inputTemplate({ label, inputs }: Process, document: string, cwd: string): string {
  const head = [`# Inputs of ${document}${label === undefined ? "" : `: ${oneLine(label)}`}`];
  if (inputs.length === 0) return [...head, "# The document has no inputs.", ""].join("\n");
  const parts = inputs.map((input) => ["", ...comment(describe(input)), ...entry(input, cwd)]);
  return [...head, ...parts.flat(), ""].join("\n");
}

function isOptional({ type, default: given }: InputParameter): boolean {
  return withoutNull(type).isOptional || (given !== undefined && given !== null);
}

/** `Width of the filter. (double, optional)`. */
function describe(input: InputParameter): string {
  const text = input.doc ?? input.label;
  const kind = typeText(withoutNull(input.type).type);
  const given = input.default !== undefined && input.default !== null ? "default below" : "optional";
  return `${text === undefined ? "" : `${text.trim()} `}(${kind}, ${isOptional(input) ? given : "required"})`;
}

function entry(input: InputParameter, cwd: string): readonly string[] {
  const value = input.default ?? exampleValue(withoutNull(input.type).type);
  const lines = yamlEntry(input.id, value, { indent: "", cwd });
  return isOptional(input) ? lines.map((line) => `# ${line}`) : lines;
}

function comment(text: string): readonly string[] {
  return wrap(text, COMMENT_COLUMNS).map((line) => `# ${line}`);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

interface Place {
  readonly indent: string;
  /** Paths are relative to this folder. */
  readonly cwd: string;
}

function yamlEntry(key: string, value: CwlValue, { indent, cwd }: Place): readonly string[] {
  const name = `${indent}${scalar(key)}:`;
  if (isBlock(value)) return [name, ...yamlBlock(value, { indent: `${indent}  `, cwd })];
  return [`${name} ${scalar(value)}`];
}

function isBlock(value: CwlValue): boolean {
  if (isArray(value)) return value.length > 0;
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function yamlBlock(value: CwlValue, place: Place): readonly string[] {
  if (isArray(value)) return value.flatMap((item) => listItem(item, place));
  if (isFileOrDirectory(value)) return fileLines(value, place);
  return isRecord(value) ? Object.entries(value).flatMap(([name, item]) => yamlEntry(name, item, place)) : [];
}

function listItem(item: CwlValue, { indent, cwd }: Place): readonly string[] {
  if (!isBlock(item)) return [`${indent}- ${scalar(item)}`];
  const [first = "", ...more] = yamlBlock(item, { indent: `${indent}  `, cwd });
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...more];
}

/** Writes a file as its path, so that people can edit it, and a literal as it is. */
function fileLines(file: FileOrDirectory, { indent, cwd }: Place): readonly string[] {
  const { location, path, ...rest } = file;
  if (location === undefined && path === undefined) return [`${indent}${JSON.stringify(file)}`];
  const { class: kind, ...others } = rest;
  const entries = Object.entries({ class: kind, path: placeOf(file, cwd), ...others });
  return entries.flatMap(([name, item]) => (item === undefined ? [] : yamlEntry(name, item, { indent, cwd })));
}

/** Writes a plain scalar if YAML reads the same text back, otherwise JSON, which is valid YAML. */
function scalar(value: CwlValue): string {
  if (
    typeof value === "string" &&
    /^[A-Za-z_/][\w./ -]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$|\s$/i.test(value)
  )
    return value;
  return JSON.stringify(value);
}
