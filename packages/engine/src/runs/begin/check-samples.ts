import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import type { SampleNames } from "../../sink/sample-names.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";

/** Sample names that do not fit the inputs, each with its pointer. */
export function checkSamples(
  samples: SampleNames,
  process: Pick<Process, "inputs">,
  values: CwlObject,
): ProblemError[] {
  return Object.entries(samples).flatMap(([id, names]) => {
    const fault = process.inputs.some((input) => input.id === id)
      ? faultOf(names, values[id])
      : { code: "unknown-input", detail: `there is no input "${id}"` };
    return fault === undefined ? [] : [{ pointer: jsonPointer(["samples", id]), ...fault }];
  });
}

function faultOf(names: readonly string[], value: unknown): Pick<ProblemError, "code" | "detail" | "hint"> | undefined {
  if (!Array.isArray(value))
    return { code: "no-list", detail: "sample names need a list, and the value of this input is not one" };
  if (value.length !== names.length)
    return { code: "wrong-number", detail: `${names.length} names for ${value.length} elements` };
  const known = new Set<string>();
  const twice = names.find((name) => known.size === known.add(name).size);
  return twice === undefined ? undefined : { code: "ambiguous", detail: `duplicate sample name "${twice}"` };
}
