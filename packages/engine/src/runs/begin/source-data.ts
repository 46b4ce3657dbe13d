import { acceptsList, type CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";

export interface RequestedInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Input id → names of its elements in order; a single value has one name. */
  readonly samples: Readonly<Record<string, readonly string[]>>;
}

type Inputs = Pick<CreateRun, "inputs" | "samples" | "source_data">;

/** The inputs of a request in either of two forms. The older form names samples: `{source: {sample: value}}`. */
export function requestedInputs(body: Inputs, process: Process): RequestedInputs {
  if (body.source_data === undefined) return { inputs: body.inputs ?? {}, samples: body.samples ?? {} };
  refuseBoth(body);
  const samples: [string, readonly string[]][] = [];
  const inputs = Object.entries(body.source_data).map(([source, value]) => {
    const type = process.inputs.find((input) => input.id === source)?.type;
    const named = isSampleMap(value);
    const values = (named ? Object.values(value) : [value]).map((item) => toInputValue(item, elementOf(type)));
    if (named) samples.push([source, Object.keys(value)]);
    if (!acceptsList(type) && values.length > 1) throw tooMany(source, values.length);
    return [source, acceptsList(type) ? values.flat() : values[0]] as const;
  });
  return { inputs: Object.fromEntries(inputs), samples: Object.fromEntries(samples) };
}

function refuseBoth(body: Inputs): void {
  const other = body.inputs === undefined ? (body.samples === undefined ? undefined : "samples") : "inputs";
  if (other === undefined) return;
  throw new Refusal("invalid-body", `Use either \`${other}\` or \`source_data\`, not both.`, {
    errors: [{ pointer: "/source_data", code: "ambiguous", detail: `\`${other}\` is given as well` }],
  });
}

function tooMany(source: string, count: number): Refusal {
  return new Refusal("invalid-inputs", `The source "${source}" takes one value, not ${count} samples.`, {
    errors: [
      { pointer: jsonPointer(["source_data", source]), code: "too-many", detail: `takes one value, not ${count}` },
    ],
  });
}

function isSampleMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("class" in value);
}

function elementOf(type: CwlType | undefined): CwlType | undefined {
  if (type?.kind === "union") return elementOf(type.options.find((option) => option.kind !== "null"));
  return type?.kind === "array" ? elementOf(type.items) : type;
}

/** Converts a value in the older form, in which files are plain URLs. */
function toInputValue(value: unknown, type: CwlType | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => toInputValue(item, type));
  if (typeof value === "string" && (type?.kind === "File" || type?.kind === "Directory"))
    return { class: type.kind, location: value };
  return value;
}
