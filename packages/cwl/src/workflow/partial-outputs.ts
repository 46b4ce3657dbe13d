/**
 * The outputs of a workflow that did not finish, from its recorded calls: follows the sources of each output as far as
 * values exist. A scattered step yields a list with null for calls that failed or did not run.
 */
import { CwlFailure } from "../cwl-failure.ts";
import { fieldOf, isArray } from "../values/value-kind.ts";
import type { CwlLimits } from "../limits.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { sourceStep, type Workflow, type WorkflowStep } from "../model/process.ts";
import { linkValue } from "./step/link-value.ts";
import { isCrossed } from "./step/scatter-jobs.ts";

/** A recorded call, which may have failed. */
export interface RecordedCall {
  /** `outer/inner`. */
  readonly step: string;
  /** Positions on the scattered axes, the outermost first. */
  readonly scatterIndex: readonly number[];
  /** The outputs; undefined unless the call succeeded. */
  readonly outputs: CwlObject | undefined;
}

export interface MissingValue {
  readonly output: string;
  /** The path of the step whose call did not produce a value. */
  readonly step: string;
  readonly scatterIndex: readonly number[];
}

export interface PartialOutputs {
  readonly outputs: CwlObject;
  readonly missing: readonly MissingValue[];
  /** False if the walk stopped at `mostPlaces`: lists are then too short, and `missing` is incomplete. */
  readonly isWhole: boolean;
}

export interface PartialOptions {
  /** The known inputs of the run. */
  readonly inputs: CwlObject;
  readonly calls: Iterable<RecordedCall>;
  readonly limits: CwlLimits;
  /** Maximum number of calls to visit: crossed lists can be far larger than the recorded calls. */
  readonly mostPlaces: number;
}

export function partialOutputs(workflow: Workflow, options: PartialOptions): PartialOutputs {
  const walk = new Walk(options);
  const frame = { workflow, prefix: "", index: [], inputs: options.inputs };
  const outputs = workflow.outputs.map(({ id }): [string, CwlValue] => [id, walk.output(frame, id, id)]);
  return { outputs: Object.fromEntries(outputs), missing: walk.missing, isWhole: !walk.isExhausted };
}

/** Paths of the steps whose calls produce the outputs of the workflow, including steps of nested workflows. */
export function outputSteps(workflow: Workflow, prefix = ""): ReadonlySet<string> {
  const sources = workflow.outputs.flatMap(({ outputSource }) => outputSource?.source ?? []);
  const ids = new Set(sources.map(sourceStep));
  const steps = workflow.steps.filter(({ id }) => ids.has(id));
  return new Set(
    steps.flatMap(({ id, run }) =>
      run.class === "Workflow" ? [...outputSteps(run, `${prefix}${id}/`)] : [`${prefix}${id}`],
    ),
  );
}

/** One execution of a workflow. */
interface PartialFrame {
  readonly workflow: Workflow;
  /** Prefix of the paths of its steps: empty, or `outer/`. */
  readonly prefix: string;
  readonly index: readonly number[];
  /** Undefined for a nested workflow, whose inputs are not recorded. */
  readonly inputs: CwlObject | undefined;
}

class Walk {
  readonly missing: MissingValue[] = [];
  isExhausted = false;
  readonly #limits: CwlLimits;
  readonly #outputs = new Map<string, CwlObject>();
  /** The number of positions with calls on an axis, by step and outer index. */
  readonly #widths = new Map<string, number>();
  #remaining: number;

  constructor({ calls, limits, mostPlaces }: PartialOptions) {
    this.#limits = limits;
    this.#remaining = mostPlaces;
    for (const call of calls) this.#record(call);
  }

  #record({ step, scatterIndex, outputs }: RecordedCall): void {
    if (outputs !== undefined) this.#outputs.set(keyOf(step, scatterIndex), outputs);
    for (let path = step; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf("/"))))
      for (const [axis, position] of scatterIndex.entries()) {
        const key = keyOf(path, scatterIndex.slice(0, axis));
        this.#widths.set(key, Math.max(this.#widths.get(key) ?? 0, position + 1));
      }
  }

  /** The output `id` of one execution; missing values are recorded for the output `root` of the whole workflow. */
  output(frame: PartialFrame, id: string, root: string): CwlValue {
    const source = frame.workflow.outputs.find((output) => output.id === id)?.outputSource;
    if (source === undefined) return null;
    const valueOf = (name: string): CwlValue => this.#source(frame, name, root);
    const value = linkValue(source, valueOf, { place: `outputs.${id}`, limits: this.#limits });
    return value instanceof CwlFailure ? null : value;
  }

  #source(frame: PartialFrame, source: string, root: string): CwlValue {
    const stepId = sourceStep(source);
    if (stepId === undefined) return fieldOf(frame.inputs ?? {}, source) ?? null;
    const step = frame.workflow.steps.find(({ id }) => id === stepId);
    if (step === undefined) return null;
    return this.#stepOutput(frame, step, { port: source.slice(stepId.length + 1), root });
  }

  #stepOutput(frame: PartialFrame, step: WorkflowStep, request: OutputRequest): CwlValue {
    const axes = isCrossed(step) ? step.scatter.length : Math.min(1, step.scatter.length);
    const gather = (index: readonly number[], axis: number): CwlValue => {
      if (axis === axes) return this.#callOutput({ ...frame, index }, step, request);
      const width = this.#width(frame, step, { axis, index });
      if (width === undefined) return this.#recordMissing(frame.prefix + step.id, index, request);
      const elements: CwlValue[] = [];
      for (let position = 0; position < width && !this.isExhausted; position++)
        elements.push(gather([...index, position], axis + 1));
      return step.scatterMethod === "flat_crossproduct" && axis + 1 < axes
        ? elements.flatMap((element) => (isArray(element) ? element : [element]))
        : elements;
    };
    return gather(frame.index, 0);
  }

  #callOutput(frame: PartialFrame, step: WorkflowStep, { port, root }: OutputRequest): CwlValue {
    this.#remaining--;
    this.isExhausted = this.#remaining < 0;
    if (this.isExhausted) return null;
    const path = frame.prefix + step.id;
    if (step.run.class === "Workflow")
      return this.output({ workflow: step.run, prefix: `${path}/`, index: frame.index, inputs: undefined }, port, root);
    const outputs = this.#outputs.get(keyOf(path, frame.index));
    if (outputs === undefined) return this.#recordMissing(path, frame.index, { port, root });
    return fieldOf(outputs, port) ?? null;
  }

  #recordMissing(step: string, scatterIndex: readonly number[], { root }: OutputRequest): null {
    this.missing.push({ output: root, step, scatterIndex });
    return null;
  }

  /** The length of the scattered list, or, if it is unknown, the number of recorded positions; undefined if there are none. */
  #width(frame: PartialFrame, step: WorkflowStep, { axis, index }: Axis): number | undefined {
    const recorded = this.#widths.get(keyOf(frame.prefix + step.id, index));
    const names = isCrossed(step) ? step.scatter.slice(axis, axis + 1) : step.scatter;
    const known = names.map((name) => this.#listLength(frame, step, name)).filter((length) => length !== undefined);
    if (recorded === undefined && known.length === 0) return undefined;
    return Math.max(recorded ?? 0, ...known);
  }

  #listLength(frame: PartialFrame, step: WorkflowStep, name: string): number | undefined {
    const link = step.in.find(({ id }) => id === name);
    const [source, second] = link?.source ?? [];
    if (link === undefined || source === undefined || second !== undefined) return undefined;
    if (link.valueFrom !== undefined || link.linkMerge !== undefined) return undefined;
    const stepId = sourceStep(source);
    if (stepId === undefined) {
      const value = fieldOf(frame.inputs ?? {}, source);
      return isArray(value) ? value.length : undefined;
    }
    const before = frame.workflow.steps.find(({ id }) => id === stepId);
    if (before === undefined || before.scatter.length === 0) return undefined;
    if (before.scatterMethod === "flat_crossproduct") return undefined;
    return this.#width(frame, before, { axis: 0, index: frame.index });
  }
}

interface OutputRequest {
  readonly port: string;
  readonly root: string;
}

interface Axis {
  readonly axis: number;
  readonly index: readonly number[];
}

function keyOf(step: string, index: readonly number[]): string {
  return `${step} ${index.join(",")}`;
}
