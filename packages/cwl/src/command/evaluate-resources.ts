import { CwlFailure } from "../cwl-failure.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import { kindText } from "../values/value-kind.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { ResourceRequirement } from "../model/requirement.ts";
import type { ResourceRequest } from "../model/job-plan.ts";

const DEFAULTS = { cores: 1, ram: 256, tmpdir: 1024, outdir: 1024 } as const;

type Resource = keyof typeof DEFAULTS;

interface Range {
  readonly min: number;
  readonly max: number | undefined;
}

/**
 * The resources that a job requests: ResourceRequirement with its expressions evaluated, and the specification's defaults
 * for missing fields. Cores may be fractional; MiB are rounded up. CWL v1.2 CommandLineTool.html#ResourceRequirement.
 */
export async function evaluateResources(
  requirements: RequirementSet,
  inputs: CwlObject,
  evaluator: Evaluator,
): Promise<ResourceRequest> {
  const requirement = requirements.get("ResourceRequirement") ?? { class: "ResourceRequirement" };
  const evaluation = { requirement, inputs, evaluator };
  const cores = await rangeOf("cores", evaluation);
  const ram = await rangeOf("ram", evaluation);
  const tmpdir = await rangeOf("tmpdir", evaluation);
  const outdir = await rangeOf("outdir", evaluation);
  return {
    coresMin: cores.min,
    coresMax: cores.max,
    ramMin: Math.ceil(ram.min),
    ramMax: ram.max === undefined ? undefined : Math.ceil(ram.max),
    tmpdirMin: Math.ceil(tmpdir.min),
    outdirMin: Math.ceil(outdir.min),
  };
}

interface ResourceEvaluation {
  readonly requirement: ResourceRequirement;
  readonly inputs: CwlObject;
  readonly evaluator: Evaluator;
}

async function rangeOf(resource: Resource, evaluation: ResourceEvaluation): Promise<Range> {
  const min = await amountOf(`${resource}Min`, evaluation);
  const max = await amountOf(`${resource}Max`, evaluation);
  if (min !== undefined && max !== undefined && max < min) {
    throw new CwlFailure("INPUT_INVALID", `\`${resource}Max\` (${max}) is less than \`${resource}Min\` (${min})`, {
      place: "requirements.ResourceRequirement",
    });
  }
  return { min: min ?? max ?? DEFAULTS[resource], max };
}

async function amountOf(
  field: `${Resource}${"Min" | "Max"}`,
  { requirement, inputs, evaluator }: ResourceEvaluation,
): Promise<number | undefined> {
  const written = requirement[field];
  if (written === undefined) return undefined;
  const place = `requirements.ResourceRequirement.${field}`;
  const value = await evaluator.evaluate(written, { inputs, self: null }, { place });
  if (value === null) return undefined;
  if (typeof value !== "number")
    throw new CwlFailure("EXPRESSION", `\`${field}\` must be a number, not ${kindText(value)}`, { place });
  if (value < 0) throw new CwlFailure("INPUT_INVALID", `\`${field}\` is negative (${value})`, { place });
  return value;
}
