import type { GiveWay } from "../give-way.ts";
import { CwlFailure } from "../cwl-failure.ts";
import { fieldOf, isArray } from "../values/value-kind.ts";
import type { CwlLimits } from "../limits.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { sourceStep, type Link, type WorkflowStep } from "../model/process.ts";
import type { CompiledNetwork, CompiledStep } from "./compile-network.ts";
import { JobResults, type StepOutputs } from "./job-results.ts";
import { ResultList } from "./result-list.ts";
import { linkExceeds, linkValue } from "./step/link-value.ts";
import type { GatherShape } from "./step/scatter-jobs.ts";

/** Names of the elements of a list, carried along links; keyed by input or output. */
export type ElementNames = ReadonlyMap<string, readonly string[]>;

/** One execution of one workflow. Owned and mutated by NetworkProgress. */
export interface Frame {
  readonly network: CompiledNetwork;
  /** The job of the outer step that runs this workflow. */
  readonly parent: JobPlace | undefined;
  /** Prefix of the ids of its calls: empty, or `outer[2]/`. */
  readonly idPrefix: string;
  readonly scatterIndex: readonly number[];
  readonly sampleId: string | undefined;
  readonly inputs: CwlObject;
  readonly inputNames: ElementNames;
  /** States of the steps, in the order of the network. */
  readonly steps: readonly StepState[];
  openSteps: number;
  hasFailed: boolean;
}

export interface JobPlace {
  readonly frame: Frame;
  /** Number of the step in its workflow, and of the job in the step. */
  readonly step: number;
  readonly job: number;
}

export interface StepState {
  status: "waiting" | "running" | "ended" | "blocked";
  hasFailed: boolean;
  /** Numbers of the jobs that failed, or did not run because another job failed. */
  readonly lost: Set<number>;
  /** The number of steps that this one still waits for. */
  waitingFor: number;
  openJobs: number;
  /** The number of started iterations of a looped step; `iterationInputs` are the inputs of the last one. */
  iterations: number;
  iterationInputs: CwlObject | undefined;
  shape: GatherShape;
  /**
   * Emptied when the step finishes. A loop that returns only its last iteration keeps only results of that iteration.
   */
  results: JobResults;
  /** Present once the step has ended. Contains null for jobs that failed or were skipped. */
  outputs: StepOutputs | undefined;
  outputNames: ElementNames;
}

type FrameOptions = Pick<
  Frame,
  "network" | "parent" | "idPrefix" | "scatterIndex" | "sampleId" | "inputs" | "inputNames"
>;

export function createFrame(options: FrameOptions): Frame {
  const steps = options.network.steps.map(waitingState);
  return { ...options, steps, openSteps: steps.length, hasFailed: false };
}

function waitingState({ dependencies, step }: CompiledStep): StepState {
  const names: ElementNames = new Map();
  return {
    status: "waiting",
    hasFailed: false,
    lost: new Set(),
    waitingFor: dependencies.length,
    openJobs: 0,
    iterations: 0,
    iterationInputs: undefined,
    shape: 0,
    results: new JobResults(keptOutputs(step)),
    outputs: undefined,
    outputNames: names,
  };
}

/** Outputs that links refer to, and outputs that a loop passes to its next iteration. */
export function keptOutputs({ out, loop }: WorkflowStep): readonly string[] {
  return [...out, ...(loop?.inputs.flatMap(({ source }) => source) ?? [])];
}

/** A step of a frame: its compiled form and its state. Throws if there is no step with this number. */
export function stepAt(
  { network, steps }: Frame,
  number: number,
): { readonly compiled: CompiledStep; readonly state: StepState } {
  const compiled = network.steps[number];
  const state = steps[number];
  if (compiled === undefined || state === undefined) throw new Error(`there is no step number ${number}`);
  return { compiled, state };
}

/** The current value of a source in a running workflow; null if it has none yet. */
export function sourceValue({ network, steps, inputs }: Frame, source: string): CwlValue {
  const stepId = sourceStep(source);
  if (stepId === undefined) return fieldOf(inputs, source) ?? null;
  const number = network.steps.findIndex(({ step }) => step.id === stepId);
  return steps[number]?.outputs?.value(source.slice(stepId.length + 1)) ?? null;
}

/** Unpacks the values of the sources of links. Call it before the values are used. */
export async function loadSources({ network, steps }: Frame, links: readonly Link[], giveWay: GiveWay): Promise<void> {
  for (const source of links.flatMap((link) => link.source)) {
    const stepId = sourceStep(source);
    const number = network.steps.findIndex(({ step }) => step.id === stepId);
    await steps[number]?.outputs?.load(source.slice((stepId ?? "").length + 1), giveWay);
  }
}

/** `loadSources` for the outputs of a workflow. With `keepPacked`, skips lists that `endedOutputs` returns packed. */
export function loadOutputs(
  frame: Frame,
  { keepPacked }: { readonly keepPacked: boolean },
  giveWay: GiveWay,
): Promise<void> {
  const links = frame.network.workflow.outputs.flatMap(({ outputSource: link }) => link ?? []);
  const needed = keepPacked ? links.filter((link) => packedSource(frame, link) === undefined) : links;
  return loadSources(frame, needed, giveWay);
}

/** The names of the elements of a linked list; undefined if the link changes the list or its elements have no names. */
export function linkedNames(frame: Frame, link: Link, value: CwlValue | ResultList): readonly string[] | undefined {
  const [source, second] = link.source;
  if (source === undefined || second !== undefined || link.linkMerge === "merge_nested") return undefined;
  const names = sourceNames(frame, source);
  const isList = value instanceof ResultList || isArray(value);
  return isList && names?.length === value.length ? names : undefined;
}

function sourceNames({ network, steps, inputNames }: Frame, source: string): readonly string[] | undefined {
  const stepId = sourceStep(source);
  if (stepId === undefined) return inputNames.get(source);
  const number = network.steps.findIndex(({ step }) => step.id === stepId);
  return steps[number]?.outputNames.get(source.slice(stepId.length + 1));
}

export interface FrameOutputs<Value = CwlValue> {
  readonly outputs: Readonly<Record<string, Value>>;
  readonly names: ElementNames;
  readonly failures: readonly CwlFailure[];
}

/** The available outputs of a workflow, null for the others. CWL v1.2 Workflow.html#WorkflowOutputParameter. */
export function frameOutputs(frame: Frame, limits: CwlLimits): FrameOutputs {
  return outputsOver(frame, (link, place) =>
    linkValue(link, (source) => sourceValue(frame, source), { place, limits }),
  );
}

/** `frameOutputs` with long lists still packed, if links pass them on unchanged. */
export function endedOutputs(frame: Frame, limits: CwlLimits): FrameOutputs<CwlValue | ResultList> {
  return outputsOver(frame, (link, place) => {
    const list = packedSource(frame, link);
    if (list === undefined) return linkValue(link, (source) => sourceValue(frame, source), { place, limits });
    const exceeded = list.exceeds(limits);
    return exceeded === undefined ? list : linkExceeds(exceeded, { place, limits });
  });
}

function outputsOver<Value extends CwlValue | ResultList>(
  frame: Frame,
  follow: (link: Link, place: string) => Value | CwlFailure,
): FrameOutputs<Value | null> {
  const outputs: [string, Value | null][] = [];
  const names = new Map<string, readonly string[]>();
  const failures: CwlFailure[] = [];
  for (const { id, outputSource: link } of frame.network.workflow.outputs) {
    const value = link === undefined ? null : follow(link, `outputs.${id}`);
    outputs.push([id, value instanceof CwlFailure ? null : value]);
    if (value instanceof CwlFailure) failures.push(value);
    const carried = link === undefined || value instanceof CwlFailure ? undefined : linkedNames(frame, link, value);
    if (carried !== undefined) names.set(id, carried);
  }
  return { outputs: Object.fromEntries(outputs), names, failures };
}

function packedSource({ network, steps }: Frame, link: Link): ResultList | undefined {
  const [source = "", second] = link.source;
  const stepId = sourceStep(source);
  if (stepId === undefined || second !== undefined || link.linkMerge !== undefined || link.pickValue !== undefined)
    return undefined;
  const number = network.steps.findIndex(({ step }) => step.id === stepId);
  return steps[number]?.outputs?.packedList(source.slice(stepId.length + 1));
}
