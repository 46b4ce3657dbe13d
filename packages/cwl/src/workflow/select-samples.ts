import { fieldOf, isArray } from "../files/value/value-kind.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { Workflow, WorkflowStep } from "../model/process.ts";
import type { ElementNames } from "./frame.ts";
import { sampleNames } from "./step/sample-names.ts";
import { scatterJobs } from "./step/scatter-jobs.ts";

export interface SelectedSamples {
  /** Only the inputs that have become shorter, each with the elements of these samples. */
  readonly inputs: CwlObject;
  /** The names that came with the inputs, shortened with them. */
  readonly names: ElementNames;
  /** Every sample that the network's own inputs name, in order. */
  readonly known: readonly string[];
}

interface WholeInputs {
  readonly inputs: CwlObject;
  readonly names: ElementNames;
}

/**
 * The part of a network's inputs that some of its samples need: of each list that a step scatters over, the elements
 * from which jobs of these samples are made. Lists that are scattered together stay aligned. A list that reaches its
 * scatter through another step or a nested network is left whole, because what it becomes there is not known yet.
 */
export function selectSamples(
  { steps, inputs: parameters }: Pick<Workflow, "steps" | "inputs">,
  { inputs, names }: WholeInputs,
  wanted: ReadonlySet<string>,
): SelectedSamples {
  const values = Object.fromEntries(parameters.map(({ id, default: value }) => [id, inputs[id] ?? value ?? null]));
  const kept = new Map<string, Set<number>>();
  const known = new Set<string>();
  for (const step of steps) {
    for (const job of jobsOf(step, { inputs: values, names })) {
      if (job.sample === undefined) continue;
      known.add(job.sample);
      for (const [input, at] of job.elements)
        if (wanted.has(job.sample)) setOf(kept, input).add(at);
        else setOf(kept, input);
    }
  }
  return {
    inputs: Object.fromEntries([...kept].map(([id, places]) => [id, elementsAt(listOf(values, id), places)])),
    names: new Map([...names].map(([id, all]) => [id, elementsAt(all, kept.get(id) ?? everyIndex(all))])),
    known: [...known],
  };
}

interface SampleJob {
  readonly sample: string | undefined;
  /** Input of the network and place in its list. */
  readonly elements: readonly (readonly [input: string, at: number])[];
}

/** The jobs of a step all of whose scattered lists are inputs of the network; none for any other step. */
function jobsOf(step: WorkflowStep, { inputs, names }: WholeInputs): readonly SampleJob[] {
  const axes = step.scatter.map((name) => ({ name, source: onlySource(step, name) }));
  const lists = axes.map(({ source }) => (source === undefined ? undefined : fieldOf(inputs, source)));
  if (axes.length === 0 || !lists.every(isArray)) return [];
  const isCrossed = step.scatterMethod !== undefined && step.scatterMethod !== "dotproduct";
  // Lists of different lengths cannot be aligned: the run itself says so.
  if (!isCrossed && new Set(lists.map((list) => list.length)).size > 1) return [];
  const scatter = scatterJobs(step, Object.fromEntries(axes.map(({ name }, axis) => [name, lists[axis] ?? null])));
  const named = axes.map(({ name, source = "" }) => ({ input: name, names: names.get(source) }));
  const samples = sampleNames(scatter, named, isCrossed);
  return scatter.jobs.map(({ index }, number) => ({
    sample: samples[number],
    elements: axes.map(({ source = "" }, axis) => [source, index[isCrossed ? axis : 0] ?? 0] as const),
  }));
}

/** The input of the network that a step's input is linked to directly. */
function onlySource(step: WorkflowStep, name: string): string | undefined {
  const link = step.in.find(({ id }) => id === name);
  const [source, ...others] = link?.source ?? [];
  const isWhole = link?.sourceIsList !== true && others.length === 0 && source?.includes("/") === false;
  return isWhole ? source : undefined;
}

function setOf(places: Map<string, Set<number>>, input: string): Set<number> {
  const known = places.get(input) ?? new Set();
  places.set(input, known);
  return known;
}

function listOf(inputs: CwlObject, id: string): readonly CwlValue[] {
  const value = fieldOf(inputs, id);
  return isArray(value) ? value : [];
}

function elementsAt<Element>(list: readonly Element[], places: ReadonlySet<number>): readonly Element[] {
  return list.filter((_, at) => places.has(at));
}

function everyIndex(list: readonly unknown[]): ReadonlySet<number> {
  return new Set(list.keys());
}
