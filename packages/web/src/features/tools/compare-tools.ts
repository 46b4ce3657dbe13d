import type { InputRecord, OutputRecord, Tool } from "@weft/shared/records/process-record.ts";
import { fileName, isFileValue, isObject } from "../../format/value-text.ts";

export interface Difference {
  readonly text: string;
  /** A network that works with the older version may not work with the newer one. */
  readonly breaking: boolean;
}

/** What of a tool's contract another version changed: inputs, outputs, command and container, the breaking things first. */
export function compareTools(older: Tool, newer: Tool): readonly Difference[] {
  const differences = [
    ...compareInputs(older.inputs, newer.inputs),
    ...compareOutputs(older.outputs, newer.outputs),
    ...changed("The command line", older.command?.template_text ?? "", newer.command?.template_text ?? ""),
    ...changed("The container", older.container?.image ?? "none", newer.container?.image ?? "none"),
    ...changed("The requested resources", JSON.stringify(older.resources), JSON.stringify(newer.resources)),
  ];
  return differences.sort((a, b) => Number(b.breaking) - Number(a.breaking));
}

function compareInputs(older: readonly InputRecord[], newer: readonly InputRecord[]): readonly Difference[] {
  const removed = older
    .filter(({ id }) => !newer.some((input) => input.id === id))
    .map(({ id }) => ({ text: `Input ${id} was removed`, breaking: true }));
  const rest = newer.flatMap((input): readonly Difference[] => {
    const before = older.find(({ id }) => id === input.id);
    if (before === undefined)
      return [
        {
          text: `Input ${input.id} (${input.type_text}) was added${input.required ? ", required" : ""}`,
          breaking: input.required,
        },
      ];
    return [...changedType("Input", before, input), ...changedNeed(before, input), ...changedDefault(before, input)];
  });
  return [...removed, ...rest];
}

function changedNeed(before: InputRecord, input: InputRecord): readonly Difference[] {
  if (before.required === input.required) return [];
  return [
    {
      text: `Input ${input.id} is ${input.required ? "now required" : "no longer required"}`,
      breaking: input.required,
    },
  ];
}

function changedDefault(before: InputRecord, input: InputRecord): readonly Difference[] {
  const [from, to] = [nameFiles(before.default), nameFiles(input.default)];
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  const both = [from, to].map((value) => (value === undefined ? "none" : JSON.stringify(value)));
  return [{ text: `The default of ${input.id} changed from ${both.join(" to ")}`, breaking: false }];
}

/** A default with the names of its files in place of the files: where they lie differs between versions by nature. */
function nameFiles(value: unknown): unknown {
  if (isFileValue(value)) return [fileName(value), ...(value.secondaryFiles ?? []).map(fileName)].join(", ");
  if (Array.isArray(value)) return value.map(nameFiles);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nameFiles(part)]));
}

function compareOutputs(older: readonly OutputRecord[], newer: readonly OutputRecord[]): readonly Difference[] {
  const removed = older
    .filter(({ id }) => !newer.some((output) => output.id === id))
    .map(({ id }) => ({ text: `Output ${id} was removed`, breaking: true }));
  const rest = newer.flatMap((output): readonly Difference[] => {
    const before = older.find(({ id }) => id === output.id);
    if (before === undefined) return [{ text: `Output ${output.id} (${output.type_text}) was added`, breaking: false }];
    return changedType("Output", before, output);
  });
  return [...removed, ...rest];
}

function changedType(noun: string, before: OutputRecord, after: OutputRecord): readonly Difference[] {
  if (before.type_text === after.type_text) return [];
  return [
    { text: `${noun} ${after.id} changed its type from ${before.type_text} to ${after.type_text}`, breaking: true },
  ];
}

function changed(what: string, from: string, to: string): readonly Difference[] {
  return from === to ? [] : [{ text: `${what} changed from ${from} to ${to}`, breaking: false }];
}
