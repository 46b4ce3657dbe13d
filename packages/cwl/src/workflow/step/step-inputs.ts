import { neverGiveWay } from "../../give-way.ts";
import { CwlFailure } from "../../cwl-failure.ts";
import type { FileAccess } from "../../files/file-access.ts";
import { ContentsLoader } from "../../files/contents-loader.ts";
import { ListingLoader } from "../../files/listing-loader.ts";
import { mapFiles, type FileVisitor } from "../../check/map-files.ts";
import { fieldOf, kindText } from "../../values/value-kind.ts";
import type { CwlLimits } from "../../limits.ts";
import type { CwlObject, CwlValue } from "../../model/cwl-value.ts";
import type { CwlVersion } from "../../model/cwl-version.ts";
import type { StepInput } from "../../model/process.ts";
import { linkValue } from "./link-value.ts";
import type { CompiledStep } from "../compile-network.ts";

interface LinkContext {
  readonly files: FileAccess;
  readonly cwlVersion: CwlVersion;
  readonly limits: CwlLimits;
  readonly valueOf: (source: string) => CwlValue;
}

/**
 * A step's inputs before scattering: links followed, defaults applied, contents and listings loaded.
 * CWL v1.2 Workflow.html#WorkflowStepInput.
 */
export async function linkStepInputs(
  { step, path, evaluator }: CompiledStep,
  context: LinkContext,
): Promise<CwlObject> {
  const values: [string, CwlValue][] = [];
  const { limits } = evaluator;
  const { files, cwlVersion } = context;
  const loaders = {
    listings: new ListingLoader({ files, limits }),
    contents: new ContentsLoader({ files, limits, cwlVersion }),
  };
  for (const input of step.in) {
    const place = `steps.${path}.in.${input.id}`;
    const linked = linkValue(input, context.valueOf, { place, limits: context.limits });
    if (linked instanceof CwlFailure) throw linked;
    values.push([input.id, await loadInto(linked ?? input.default ?? null, input, place, loaders)]);
  }
  return Object.fromEntries(values);
}

/** The loaders of one step, whose limits apply to all of its inputs together. */
interface Loaders {
  readonly listings: ListingLoader;
  readonly contents: ContentsLoader;
}

function loadInto(
  value: CwlValue,
  input: StepInput,
  place: string,
  { listings, contents }: Loaders,
): Promise<CwlValue> | CwlValue {
  const { loadContents: wantsContents, loadListing: listing } = input;
  if (!wantsContents && listing === undefined) return value;
  const rule = { secondaryFiles: [], loadContents: wantsContents };
  const load: FileVisitor = async (file) => {
    if (file.class === "Directory") return listing === undefined ? file : listings.load(file, listing);
    if (!wantsContents) return file;
    const loaded = await contents.load(file);
    if (loaded.problem !== undefined) throw new CwlFailure("INPUT_INVALID", loaded.problem, { place });
    return loaded.file;
  };
  return mapFiles({ value, type: { kind: "Any" }, rule, pointer: "" }, load, neverGiveWay);
}

/** The inputs of one job of a step. Each `valueFrom` sees the inputs before any `valueFrom` was evaluated. */
export async function evaluateStepInputs(
  { step, path, evaluator }: CompiledStep,
  inputs: CwlObject,
): Promise<CwlObject> {
  const computed: [string, CwlValue][] = [];
  for (const { id, valueFrom } of step.in) {
    if (valueFrom === undefined) continue;
    const self = fieldOf(inputs, id) ?? null;
    computed.push([
      id,
      await evaluator.evaluate(valueFrom, { inputs, self }, { place: `steps.${path}.in.${id}.valueFrom` }),
    ]);
  }
  return computed.length === 0 ? inputs : { ...inputs, ...Object.fromEntries(computed) };
}

/** True if the job, or the next iteration of a loop, runs. CWL v1.2 Workflow.html#WorkflowStep, `when`. */
export async function evaluateWhen({ step, path, evaluator }: CompiledStep, inputs: CwlObject): Promise<boolean> {
  const condition = step.loop?.when ?? step.when;
  if (condition === undefined) return true;
  const place = `steps.${path}.when`;
  const value = await evaluator.evaluate(condition, { inputs, self: null }, { place });
  if (typeof value === "boolean") return value;
  throw new CwlFailure("EXPRESSION", `\`when\` must return true or false, but returned ${kindText(value)}`, { place });
}

/** The inputs that the process declares. CWL v1.2 Workflow.html#WorkflowStepInput. */
export function declaredInputs({ step }: CompiledStep, inputs: CwlObject): CwlObject {
  const declared = step.run.inputs.map(({ id }) => [id, fieldOf(inputs, id)] as const);
  return Object.fromEntries(declared.filter((entry): entry is readonly [string, CwlValue] => entry[1] !== undefined));
}
