import { acceptsList, type CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { OutputParameter, Process } from "@weft/cwl/model/process.ts";
import { elementOutputs } from "@weft/cwl/workflow/element-outputs.ts";
import { derivativePath, type DerivativeTemplate } from "@weft/shared/dataset/derivative-name.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { onlySample, type SampleNames, type SampleSources } from "./sample-sources.ts";

type Fault = Pick<ProblemError, "code" | "detail" | "hint">;

interface Checked {
  readonly process: Process;
  readonly samples: SampleNames;
  readonly sources: SampleSources;
}

/** Checks that every sample can have a unique name in the dataset. */
export function checkDerivative(
  template: DerivativeTemplate,
  output: OutputParameter,
  { process, samples, sources }: Checked,
): Fault | undefined {
  if (isFolder(output.type))
    return {
      code: "no-name",
      detail: `the output "${output.id}" is a folder, for which BIDS has no name`,
      hint: "use a vfs:// destination",
    };
  if (!isOfSamples(output, process, samples))
    return {
      code: "no-sample",
      detail: `the output "${output.id}" belongs to all samples together, so it has no subject`,
      hint: "use a vfs:// destination",
    };
  const names = new Set(Object.values(samples).flat());
  if (names.size === 0)
    return {
      code: "no-source",
      detail: "the samples of the run have no names, so their subjects are not known",
      hint: "fill the inputs from a dataset, or name the samples (`samples`)",
    };
  const taken = new Map<string, string>();
  for (const sample of names) {
    const fault = nameSample(sample, template, { sources, taken });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isFolder(type: CwlType): boolean {
  if (type.kind === "union") return type.options.every((option) => option.kind === "null" || isFolder(option));
  return type.kind === "array" ? isFolder(type.items) : type.kind === "Directory";
}

function isOfSamples({ id, type }: OutputParameter, process: Process, samples: SampleNames): boolean {
  if (onlySample(samples) !== undefined) return true;
  if (!acceptsList(type) || process.class !== "Workflow") return false;
  return elementOutputs(process).get(id)?.isOfOneElement === true;
}

interface Naming {
  readonly sources: SampleSources;
  /** Samples by the path of their output. */
  readonly taken: Map<string, string>;
}

function nameSample(sample: string, template: DerivativeTemplate, { sources, taken }: Naming): Fault | undefined {
  const found = sources.get(sample);
  if (found === undefined)
    return {
      code: "no-source",
      detail: `the sample "${sample}" has no file of a BIDS dataset, so its subject is not known`,
      hint: "fill the inputs from a dataset, or use a vfs:// destination",
    };
  // The extension of an output is known at its end.
  const path = derivativePath(template, found.common, "x.nii");
  if (typeof path === "string")
    return { code: "no-name", detail: `the destination ${path}`, hint: `sample "${sample}"` };
  const place = path.join("/");
  const other = taken.get(place);
  taken.set(place, sample);
  return other === undefined
    ? undefined
    : {
        code: "same-name",
        detail: `the samples "${other}" and "${sample}" would both be called ${path.at(-1)?.replace(/\..*/, "")}`,
        hint: "their entities are equal: make one sample per subject, session or run",
      };
}
