import type { InputRecord, OutputRecord, Tool } from "@weft/shared/records/process-record.ts";
import { fileName, isFileValue, isObject } from "../../format/value-text.ts";

/**
 * The effect of a difference on a network that uses the older version: it may break, it may produce different results
 * with equal inputs, or neither.
 */
type Effect = (typeof EFFECTS)[number];
const EFFECTS = ["breaking", "results", "compatible"] as const;

export interface Difference {
  readonly text: string;
  readonly effect: Effect;
}

/** Differences between two versions of a tool: inputs, outputs, command and container, breaking changes first. */
export function compareTools(older: Tool, newer: Tool): readonly Difference[] {
  const differences: readonly Difference[] = [
    ...compareInputs(older.inputs, newer.inputs),
    ...compareOutputs(older.outputs, newer.outputs),
    ...changed("The command line", older.command?.template_text ?? "", newer.command?.template_text ?? ""),
    ...changed("The container", older.container?.image ?? "none", newer.container?.image ?? "none"),
    ...changed(
      "The requested resources",
      JSON.stringify(older.resources),
      JSON.stringify(newer.resources),
      "compatible",
    ),
  ];
  return differences.toSorted((a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect));
}

function compareInputs(older: readonly InputRecord[], newer: readonly InputRecord[]): readonly Difference[] {
  const removed = older
    .filter(({ id }) => !newer.some((input) => input.id === id))
    .map(({ id }) => ({ text: `Input ${id} was removed`, effect: "breaking" as const }));
  const rest = newer.flatMap((input): readonly Difference[] => {
    const before = older.find(({ id }) => id === input.id);
    if (before === undefined) return [addedInput(input)];
    return [...changedType("Input", before, input), ...changedNeed(before, input), ...changedDefault(before, input)];
  });
  return [...removed, ...rest];
}

/** A default may change the results of a network that does not set the new input. */
function addedInput({ id, type_text: type, required, default: value }: InputRecord): Difference {
  const added = `Input ${id} (${type}) was added`;
  if (required) return { text: `${added}, required`, effect: "breaking" };
  if (value === undefined || value === null) return { text: added, effect: "compatible" };
  return { text: `${added} with the default ${JSON.stringify(nameFiles(value))}`, effect: "results" };
}

function changedNeed(before: InputRecord, input: InputRecord): readonly Difference[] {
  if (before.required === input.required) return [];
  return [
    {
      text: `Input ${input.id} is ${input.required ? "now required" : "no longer required"}`,
      effect: input.required ? ("breaking" as const) : ("compatible" as const),
    },
  ];
}

function changedDefault(before: InputRecord, input: InputRecord): readonly Difference[] {
  const [from, to] = [nameFiles(before.default), nameFiles(input.default)];
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  const both = [from, to].map((value) => (value === undefined ? "none" : JSON.stringify(value)));
  return [{ text: `The default of ${input.id} changed from ${both.join(" to ")}`, effect: "results" }];
}

/** Replaces the files of a default with their names, because their locations always differ between versions. */
function nameFiles(value: unknown): unknown {
  if (isFileValue(value)) return [fileName(value), ...(value.secondaryFiles ?? []).map(fileName)].join(", ");
  if (Array.isArray(value)) return value.map(nameFiles);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nameFiles(part)]));
}

function compareOutputs(older: readonly OutputRecord[], newer: readonly OutputRecord[]): readonly Difference[] {
  const removed = older
    .filter(({ id }) => !newer.some((output) => output.id === id))
    .map(({ id }) => ({ text: `Output ${id} was removed`, effect: "breaking" as const }));
  const rest = newer.flatMap((output): readonly Difference[] => {
    const before = older.find(({ id }) => id === output.id);
    if (before === undefined)
      return [{ text: `Output ${output.id} (${output.type_text}) was added`, effect: "compatible" }];
    return changedType("Output", before, output);
  });
  return [...removed, ...rest];
}

function changedType(noun: string, before: OutputRecord, after: OutputRecord): readonly Difference[] {
  if (before.type_text === after.type_text) return [];
  return [
    {
      text: `${noun} ${after.id} changed its type from ${before.type_text} to ${after.type_text}`,
      effect: "breaking" as const,
    },
  ];
}

function changed(what: string, from: string, to: string, effect: Effect = "results"): readonly Difference[] {
  return from === to ? [] : [{ text: `${what} changed from ${from} to ${to}`, effect }];
}

interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** The text of one file in both versions; undefined if a version lacks the file. */
export interface SourcePair {
  /** The name of the file without its folder, which contains the version. */
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Pairs files by name; if each version has a single file, pairs these. */
export function pairSources(older: readonly SourceFile[], newer: readonly SourceFile[]): readonly SourcePair[] {
  const [first, second] = [older[0], newer[0]];
  if (first !== undefined && second !== undefined && older.length === 1 && newer.length === 1)
    return [{ name: nameOf(second), before: first.text, after: second.text }];
  const textOf = (files: readonly SourceFile[], name: string): string | undefined =>
    files.find((file) => nameOf(file) === name)?.text;
  const names = new Set([...newer, ...older].map(nameOf));
  return [...names].map((name) => ({ name, before: textOf(older, name), after: textOf(newer, name) }));
}

function nameOf({ file }: SourceFile): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
