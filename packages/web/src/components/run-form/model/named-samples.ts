import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { fileName, isFileValue } from "../../../format/value-text.ts";
import type { FieldProblem } from "./check-value.ts";
import type { InputValues } from "./form-store.ts";

/** User-defined sample names for the entries of lists. */
export interface NamedSamples {
  /** "" if the sample has no user-defined name. */
  readonly names: readonly string[];
  /** The lists that the names belong to, by input. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
}

/** Prefix of pointers to names; cannot collide, because no input has an empty id. */
export const NAMES_POINTER = "//sample name";

/** True if the lists are unchanged: moved entries would get wrong names. */
export function namesStillFit(samples: NamedSamples, values: InputValues): boolean {
  return Object.entries(samples.lists).every(([id, list]) => {
    const now = values[id];
    return now === list || JSON.stringify(now) === JSON.stringify(list);
  });
}

interface NamedInputs extends Pick<Run, "inputs"> {
  readonly sample_names?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The sample names of an earlier run or of a query, as far as they belong to lists among its inputs; undefined without names. */
export function namesOfRun({ inputs, sample_names: given = {} }: NamedInputs) {
  const [first] = Object.values(given);
  const lists = Object.entries(given).flatMap(([id, names]) => {
    const list: unknown = inputs?.[id];
    const isOfRow = Array.isArray(list) && list.length === names.length && names.join("\n") === first?.join("\n");
    return isOfRow ? [[id, list as readonly unknown[]] as const] : [];
  });
  return first === undefined || lists.length === 0 ? undefined : { names: first, lists: Object.fromEntries(lists) };
}

/** The names in the API's format: for each list, the names of its elements. An unnamed sample is named after its file. */
export function sampleNames(samples: NamedSamples): NonNullable<CreateRun["samples"]> {
  const names = completeNames(samples);
  return Object.fromEntries(Object.keys(samples.lists).map((id) => [id, [...names]]));
}

/** Problems of the names: each sample must have a unique one. */
export function checkNames(samples: NamedSamples): readonly FieldProblem[] {
  const first = new Map<string, number>();
  return completeNames(samples).flatMap((name, row) => {
    const before = first.get(name);
    if (before === undefined) first.set(name, row);
    const message =
      name === ""
        ? "Name this sample, or leave all names empty"
        : before === undefined
          ? undefined
          : `Duplicate sample name "${name}" (also in row ${before + 1})`;
    return message === undefined ? [] : [{ pointer: `${NAMES_POINTER}/${row}`, message }];
  });
}

function completeNames({ names, lists }: NamedSamples): readonly string[] {
  const entries = Object.entries(lists);
  return names.map((name, row) =>
    name === "" ? rowName(entries.map(([id, list]) => [id, list[row]] as const)) : name,
  );
}

const NAMING_INPUT = /^(?:sample|subject)|^(?:id|name)$/i;

/**
 * The server's name for an unnamed sample: a text input whose name suggests sample names, else its first file or text.
 */
export function rowName(values: readonly (readonly [id: string, value: unknown])[]): string {
  const named = values.find(([id, value]) => typeof value === "string" && value !== "" && NAMING_INPUT.test(id));
  const names = values.map(([, value]) => valueName(value));
  return named === undefined ? (names.find((name) => name !== "") ?? "") : valueName(named[1]);
}

/** A name for a value: `sub-01` for the File `sub-01.nii.gz`, a string itself. */
function valueName(value: unknown): string {
  if (typeof value === "string") return value;
  return isFileValue(value) ? (/^\.*[^.]+/.exec(fileName(value))?.[0] ?? "") : "";
}
