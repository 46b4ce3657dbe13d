import { fieldOf, isArray } from "../values/value-kind.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { StepInput, Workflow, WorkflowStep } from "../model/process.ts";

/** A job of a selected sample in an earlier run of the network. */
export interface SampleJob {
  /** `outer/inner`. */
  readonly step: string;
  /** Positions on the scattered axes, the outermost first. */
  readonly scatterIndex: readonly number[];
}

/** Indexes of the list elements to keep, by input of the network. */
export type KeptPlaces = ReadonlyMap<string, ReadonlySet<number>>;

type Network = Pick<Workflow, "steps" | "inputs">;

/**
 * Finds the elements of a network's input lists that belong to some samples, by the positions of their jobs in an earlier run
 * with the same inputs. Lists that are scattered together stay aligned, even if a step derives one of them from an input
 * list of the same length, such as a step that names the samples. Empty if the network derives its lists in other ways.
 */
export function selectSamples(network: Network, inputs: CwlObject, jobs: readonly SampleJob[]): KeptPlaces {
  const values = Object.fromEntries(network.inputs.map(({ id, default: value }) => [id, inputs[id] ?? value ?? null]));
  const kept = new Map<string, Set<number>>();
  for (const step of network.steps) {
    const own = jobs.filter((job) => job.step === step.id || job.step.startsWith(`${step.id}/`));
    if (own.length === 0) continue;
    for (const { input, axis } of narrowed(step, network, values))
      for (const { scatterIndex } of own) keep(kept, input, scatterIndex[axis] ?? 0);
  }
  return kept;
}

/** The elements of a list that are kept. */
export function elementsAt<Element>(list: readonly Element[], places: ReadonlySet<number>): readonly Element[] {
  return list.filter((_, at) => places.has(at));
}

interface NarrowedInput {
  readonly input: string;
  /** The axis of this list, as an index into the positions of a job. */
  readonly axis: number;
}

function narrowed(step: WorkflowStep, network: Network, values: CwlObject): readonly NarrowedInput[] {
  const isCrossed = step.scatterMethod !== undefined && step.scatterMethod !== "dotproduct";
  const axes = step.scatter.map((name) => step.in.find(({ id }) => id === name));
  const direct = axes.flatMap((link, axis) => directInput(link, values).map((input) => ({ input, axis })));
  if (isCrossed) return direct;
  const length = direct.map(({ input }) => listOf(values, input).length)[0];
  const distant = axes.flatMap((link) => inputsThroughSteps(link, network));
  return [...direct.map(({ input }) => input), ...distant.filter((id) => listOf(values, id).length === length)].map(
    (input) => ({ input, axis: 0 }),
  );
}

/** The network input that is linked directly to a step's input, as a list of at most one name. */
function directInput(link: StepInput | undefined, values: CwlObject): readonly string[] {
  const [source, ...others] = link?.source ?? [];
  const isWhole = link?.sourceIsList !== true && others.length === 0 && source?.includes("/") === false;
  return isWhole && isArray(fieldOf(values, source)) ? [source] : [];
}

/** The network inputs that reach a step's input through an earlier step without a scatter. */
function inputsThroughSteps(link: StepInput | undefined, { steps }: Network): readonly string[] {
  return (link?.source ?? []).flatMap((source) => {
    const before = steps.find(({ id }) => source.startsWith(`${id}/`));
    if (before === undefined || before.scatter.length > 0) return [];
    return before.in.flatMap((input) => input.source.filter((name) => !name.includes("/")));
  });
}

function listOf(inputs: CwlObject, id: string): readonly CwlValue[] {
  const value = fieldOf(inputs, id);
  return isArray(value) ? value : [];
}

function keep(places: Map<string, Set<number>>, input: string, at: number): void {
  const known = places.get(input);
  if (known === undefined) places.set(input, new Set([at]));
  else known.add(at);
}
