import { wholeNumber } from "../json/exact-json.ts";
import type { CwlTypeRecord } from "../records/cwl-type.ts";
import type { QueryResult } from "../records/dataset-record.ts";

/** The parts of a process input that determine which columns can fill it. */
export interface FillableInput {
  readonly id: string;
  readonly type: CwlTypeRecord;
}

export interface FilledInputs {
  /** Input id → list of one value per sample, or the value of the only sample. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Input id → names of the samples, for lists. */
  readonly samples: Readonly<Record<string, readonly string[]>>;
  /** Columns that cannot fill an input, each with the reason. */
  readonly problems: readonly { readonly column: string; readonly detail: string }[];
}

/** Ids of inputs that take the names of the samples. */
const NAMES_INPUT = /^(?:sample|subject)(?:s|_?(?:id|name)s)$/i;

/**
 * The inputs of a run from the samples of a query: each column fills the input that has its name. The names of the samples
 * fill a list that is meant for them, so that results have them too.
 */
export function fillInputs({ samples }: Pick<QueryResult, "samples">, inputs: readonly FillableInput[]): FilledInputs {
  const filled: Record<string, unknown> = {};
  const names: Record<string, readonly string[]> = {};
  const problems: { column: string; detail: string }[] = [];
  for (const column of Object.keys(samples[0]?.columns ?? {})) {
    const input = inputs.find(({ id }) => id === column);
    if (input === undefined) {
      problems.push({
        column,
        detail: `there is no input "${column}"; the inputs are ${inputs.map(({ id }) => id).join(", ")}`,
      });
      continue;
    }
    const items = itemsOf(input.type);
    const values = samples.map(({ columns }) => toInput(columns[column], items ?? input.type));
    if (items === undefined && samples.length > 1)
      problems.push({ column, detail: `"${column}" takes one value, and the query returns ${samples.length} samples` });
    else if (items === undefined) filled[column] = values[0];
    else {
      filled[column] = values;
      names[column] = samples.map(({ name }) => name);
    }
  }
  const sampleNames = samples.map(({ name }) => name);
  for (const { id, type } of inputs)
    if (filled[id] === undefined && Object.keys(names).length > 0 && takesNames(id, type)) {
      filled[id] = sampleNames;
      names[id] = sampleNames;
    }
  return { inputs: filled, samples: names, problems };
}

function takesNames(id: string, type: CwlTypeRecord): boolean {
  const items = itemsOf(type);
  return NAMES_INPUT.test(id) && items !== undefined && kindsOf(items).includes("string");
}

/** The type of the elements; undefined unless the type is a list. */
function itemsOf(type: CwlTypeRecord): CwlTypeRecord | undefined {
  if (type.kind === "union") return type.options.map(itemsOf).find((items) => items !== undefined);
  return type.kind === "array" ? type.items : undefined;
}

/** Converts a string from a table or name to the number or boolean that the input requires. */
function toInput(value: unknown, type: CwlTypeRecord): unknown {
  if (typeof value !== "string") return value;
  const kinds = new Set(kindsOf(type));
  if (kinds.has("string") || kinds.has("enum")) return value;
  if (
    ["int", "long", "float", "double"].some((kind) => kinds.has(kind)) &&
    value.trim() !== "" &&
    Number.isFinite(Number(value))
  )
    return /^[+-]?\d+$/.test(value) ? wholeNumber(value) : Number(value);
  if (kinds.has("boolean") && (value === "true" || value === "false")) return value === "true";
  return value;
}

function kindsOf(type: CwlTypeRecord): readonly string[] {
  return type.kind === "union" ? type.options.flatMap(kindsOf) : [type.kind];
}
