import type { InputBinding } from "@weft/cwl/model/binding.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import type { Placeholders } from "./placeholders.ts";

/**
 * A command line that discloses nothing beyond the tool's document: literal words of the document, placeholders for
 * known inputs, and `<value>` for everything else, such as the result of an expression.
 */
export function safeCommand(argv: readonly string[], tool: CommandLineTool, placeholders: Placeholders): string {
  const constants = constantsOf(tool);
  return argv.map((word) => safeWord(word, constants, placeholders)).join(" ");
}

interface Constants {
  /** Complete arguments. */
  readonly words: ReadonlySet<string>;
  /** Prefixes that may be joined with a value to form one argument. */
  readonly prefixes: readonly string[];
  /** True if an argument may be a complete shell line. */
  readonly hasLines: boolean;
}

function constantsOf(tool: CommandLineTool): Constants {
  const bindings = [
    ...tool.arguments.map((argument): Partial<InputBinding> =>
      typeof argument === "string" ? { valueFrom: argument } : argument,
    ),
    ...tool.inputs.flatMap(({ inputBinding }) => inputBinding ?? []),
  ];
  const prefixes = bindings.flatMap(({ prefix }) => prefix ?? []);
  const values = bindings.flatMap(({ valueFrom }) =>
    valueFrom === undefined || !isPlain(valueFrom) ? [] : [valueFrom],
  );
  const hasLines = [...tool.requirements, ...tool.hints].some(
    (requirement) => requirement.class === "ShellCommandRequirement",
  );
  return { words: new Set([...tool.baseCommand, ...values, ...prefixes]), prefixes, hasLines };
}

function isPlain(text: string): boolean {
  return !text.includes("$(") && !text.includes("${");
}

function safeWord(word: string, constants: Constants, placeholders: Placeholders): string {
  if (constants.words.has(word)) return /\s/.test(word) ? `'${word}'` : word;
  const known = placeholders.standIn(word);
  if (known !== undefined) return known;
  if (constants.hasLines && /\s/.test(word)) return `'${safeLine(word, constants, placeholders)}'`;
  const prefix = constants.prefixes.find((candidate) => candidate !== "" && word.startsWith(candidate));
  return prefix === undefined ? "<value>" : `${prefix}${placeholders.standIn(word.slice(prefix.length)) ?? "<value>"}`;
}

/** Keeps shell operators, so that the structure of the line remains visible. */
function safeLine(line: string, { words, prefixes }: Constants, placeholders: Placeholders): string {
  const parts = new Set([...words].flatMap((word) => word.split(/\s+/)));
  return line
    .split(/\s+/)
    .map((part) =>
      /^[|&;<>()]+$/.test(part) || parts.has(part)
        ? part
        : safeWord(part, { words: parts, prefixes, hasLines: false }, placeholders),
    )
    .join(" ");
}
