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
    ...comparePorts("Input", [older.inputs, newer.inputs], compareInput),
    ...comparePorts("Output", [older.outputs, newer.outputs], compareOutput),
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

/** The removed ports, then the others in their new order. */
function comparePorts<Port extends OutputRecord>(
  noun: "Input" | "Output",
  [older, newer]: readonly [readonly Port[], readonly Port[]],
  describe: (port: Port, before: Port | undefined) => readonly Difference[],
): readonly Difference[] {
  const removed = older
    .filter(({ id }) => !newer.some((port) => port.id === id))
    .map(({ id }) => ({ text: `${noun} ${id} was removed`, effect: "breaking" as const }));
  const rest = newer.flatMap((port) => {
    const before = older.find(({ id }) => id === port.id);
    const types = before === undefined ? [] : changedType(noun, before, port);
    return [...types, ...describe(port, before)];
  });
  return [...removed, ...rest];
}

function compareInput(input: InputRecord, before: InputRecord | undefined): readonly Difference[] {
  if (before === undefined) return [addedInput(input)];
  return [...changedNeed(before, input), ...changedDefault(before, input)];
}

function compareOutput({ id, type_text: type }: OutputRecord, before: OutputRecord | undefined): readonly Difference[] {
  return before === undefined ? [{ text: `Output ${id} (${type}) was added`, effect: "compatible" }] : [];
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
  return input.required
    ? [{ text: `Input ${input.id} is now required`, effect: "breaking" }]
    : [{ text: `Input ${input.id} is no longer required`, effect: "compatible" }];
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

function changedType(noun: string, before: OutputRecord, after: OutputRecord): readonly Difference[] {
  if (before.type_text === after.type_text) return [];
  const text = `${noun} ${after.id} changed its type from ${before.type_text} to ${after.type_text}`;
  return [{ text, effect: "breaking" }];
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
