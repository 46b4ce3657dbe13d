import { typeText } from "@weft/cwl/model/type-text.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { isRecord } from "@weft/cwl/values/value-kind.ts";
import { wrap } from "../output/result-text.ts";
import { exampleValue, valueLine, valueWords } from "./example-value.ts";
import { flagName, inputFlags, isSwitch, type InputFlag } from "./input-flags.ts";

export interface HelpSubject {
  readonly process: Process;
  /** The command line as entered, up to the document. */
  readonly command: string;
  /** Paths of input objects next to the document, as people name them. */
  readonly examples: readonly string[];
  /** The values in the first example. */
  readonly values: CwlObject;
  /** Paths are relative to this folder. */
  readonly cwd: string;
}

const COLUMNS = 100;
const LABEL_COLUMNS = 30;

/** The help page of a document: what it does, and a flag for each of its inputs. */
export function documentHelp({ process, command, examples, values, cwd }: HelpSubject): string {
  const flags = inputFlags(process.inputs);
  const about = [process.label, process.doc].flatMap((text) => (text === undefined ? [] : [...paragraphs(text), ""]));
  const rows = flags.flatMap((flag) => row(flag, valueAt(values, flag.path), cwd));
  const generated = [command, ...requiredWords(flags, values, cwd)].join(" ");
  return [
    `Usage: ${command} [inputs] [flags]`,
    "",
    ...about,
    ...(rows.length === 0 ? ["The document has no inputs."] : ["Inputs:", ...rows]),
    "",
    "Examples:",
    ...[generated, ...examples.slice(0, 2).map((example) => `${command} ${example}`)].map((line) => `  ${line}`),
    "",
    "Flags may follow an input object (YAML or JSON), and replace its values. weft run --help lists further options.",
  ].join("\n");
}

function row(flag: InputFlag, example: CwlValue | undefined, cwd: string): readonly string[] {
  const label = `  ${flagName(flag).length === 1 ? "-" : "--"}${flagName(flag)}${placeholder(flag)}`;
  const [first = "", ...more] = wrap(meaning(flag, example, cwd), COLUMNS - LABEL_COLUMNS);
  const indented = more.map((line) => " ".repeat(LABEL_COLUMNS) + line);
  if (first === "") return [label];
  if (label.length < LABEL_COLUMNS - 1) return [label.padEnd(LABEL_COLUMNS) + first, ...indented];
  return [label, " ".repeat(LABEL_COLUMNS) + first, ...indented];
}

/** The kind of value that follows the flag. */
function placeholder(flag: InputFlag): string {
  if (isSwitch(flag)) return "";
  const { type } = flag;
  return ` <${nameOf(type.kind === "array" ? type.items : type)}>`;
}

function nameOf(type: CwlType): string {
  if (type.kind === "record" || type.kind === "array") return "JSON";
  if (type.kind === "enum") return shortList(type.symbols) ?? "enum";
  return typeText(type).replaceAll(" | ", "|");
}

function shortList(symbols: readonly string[]): string | undefined {
  const text = symbols.join("|");
  return text.length <= 20 ? text : undefined;
}

function meaning(flag: InputFlag, example: CwlValue | undefined, cwd: string): string {
  const { type, doc = "", isRequired } = flag;
  const item = type.kind === "array" ? type.items : type;
  const isLong = item.kind === "enum" && shortList(item.symbols) === undefined;
  const defaultValue = flag.default === undefined || flag.default === null ? undefined : flag.default;
  const notes = [
    isLong ? `one of ${item.symbols.join(", ")}` : undefined,
    type.kind === "array" ? "repeatable" : undefined,
    isRequired ? "required" : undefined,
    defaultValue === undefined ? undefined : `default: ${shortened(defaultValue, cwd)}`,
    defaultValue === true ? `--no-${flagName(flag)} turns it off` : undefined,
    example === undefined || example === null || example === defaultValue
      ? undefined
      : `example: ${shortened(example, cwd)}`,
  ].filter((note) => note !== undefined);
  return [doc.trim(), notes.length === 0 ? "" : `(${notes.join("; ")})`].join(" ").trim();
}

const SHOWN_WORDS = 2;

function shortened(value: CwlValue, cwd: string): string {
  const words = valueWords(value, cwd);
  const text = valueLine(Array.isArray(value) ? value.slice(0, SHOWN_WORDS) : value, cwd);
  return words.length > SHOWN_WORDS ? `${text} …` : text === "" ? "none" : text;
}

/** All flags that are required, with values. */
function requiredWords(flags: readonly InputFlag[], values: CwlObject, cwd: string): readonly string[] {
  return flags.flatMap((flag) => {
    const [first, ...inner] = flag.path;
    if (!flag.isRequired || (inner.length > 0 && flags.some(({ path }) => path.length === 1 && path[0] === first)))
      return [];
    const value = valueAt(values, flag.path) ?? exampleValue(flag.type);
    if (isSwitch(flag)) return [`--${value === false ? "no-" : ""}${flagName(flag)}`];
    const items = Array.isArray(value) ? (value as readonly CwlValue[]).slice(0, SHOWN_WORDS) : [value]; // an array was checked
    return items.map((item) => `--${flagName(flag)} ${valueLine(item, cwd)}`);
  });
}

function valueAt(values: CwlObject, path: readonly string[]): CwlValue | undefined {
  let value: CwlValue | undefined = values;
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function paragraphs(text: string): readonly string[] {
  return text
    .trim()
    .split("\n")
    .flatMap((line) => (line.trim() === "" ? [""] : wrap(line.trimEnd(), COLUMNS)));
}
