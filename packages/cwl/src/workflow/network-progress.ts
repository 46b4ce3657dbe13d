/**
 * The state of one execution of a workflow, nested workflows included. Makes pure decisions: the driver starts it, runs the
 * returned calls, and reports the outcome of each; the answer contains the calls that can run next. It neither waits nor
 * copies: a completion has a constant cost plus the cost of the calls that it releases. Call ids depend only on the document
 * and inputs, not on the order in which calls finish, so that a restarted server can replay finished calls.
 *
 * An execution of one workflow is a Frame; a step that runs a workflow opens one frame for each of its jobs. A
 * scattered step counts its jobs when it starts, and creates them while few calls are open: the memory of a network does not
 * grow with the number of jobs, except for the results of ended jobs.
 */
import type { GiveWay } from "../give-way.ts";
import type { CwlFailure } from "../cwl-failure.ts";
import type { FileAccess } from "../files/file-access.ts";
import type { CwlLimits } from "../limits.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { Workflow } from "../model/process.ts";
import { attempt } from "../attempt.ts";
import type { Advance, Call, CallOutcome, StepFailure } from "./advance.ts";
import { blockDependents } from "./block-dependents.ts";
import { compileNetwork, type CompiledNetwork, type EvaluatorFor } from "./compile-network.ts";
import { JobResults, StepOutputs } from "./job-results.ts";
import { OpenScatters, type OpenScatter } from "./open-scatters.ts";
import type { Packing } from "./result-list.ts";
import { expandStep, type ExpandedJob } from "./expand-step.ts";
import { nextIteration } from "./next-iteration.ts";
import { requireJobsOfRun } from "./step/scatter-size.ts";
import {
  createFrame,
  endedOutputs,
  frameOutputs,
  keptOutputs,
  loadOutputs,
  loadSources,
  stepAt,
  type ElementNames,
  type Frame,
  type FrameOutputs,
  type JobPlace,
} from "./frame.ts";
import { blockedSteps, stepSizes, type StepSize } from "./step-sizes.ts";

export interface NetworkOptions {
  readonly workflow: Workflow;
  /** Requirements from outside the workflow (overrides of the input object), to which its own are added. */
  readonly requirements: RequirementSet;
  readonly evaluatorFor: EvaluatorFor;
  readonly files: FileAccess;
  readonly limits: CwlLimits;
  /** The maximum number of open calls that scattered steps create; they start again once fewer than half are open. */
  readonly openCalls: number;
  readonly giveWay: GiveWay;
  /** Absent: results are not compressed. */
  readonly packing?: Packing;
  /** Names of the elements of list inputs, by input: they become sample ids if a step scatters over those lists. */
  readonly sampleNames?: ElementNames;
  /** The sample that the workflow as a whole works on. */
  readonly sampleId?: string | undefined;
}

type Task =
  | { readonly kind: "start" | "iterate"; readonly frame: Frame; readonly step: number }
  | { readonly kind: "end"; readonly frame: Frame };

/** Jobs that a step creates when it starts, so that a small step is complete immediately. */
const FIRST_JOBS = 256;
/** The maximum number of jobs created in one `Advance`. */
const JOBS_PER_ADVANCE = 256;

interface Gathered {
  readonly calls: Call[];
  readonly failures: StepFailure[];
  ended: Advance["ended"];
}

export class NetworkProgress {
  readonly #options: NetworkOptions;
  readonly #network: CompiledNetwork;
  readonly #open = new Map<string, JobPlace>();
  readonly #scatters: OpenScatters;
  #agenda: Task[] = [];
  #gathered: Gathered | undefined;
  #root: Frame | undefined;
  /** Jobs of all steps so far, including executions of nested workflows and iterations of loops. */
  #jobs = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.#network = compileNetwork(options.workflow, options);
    this.#scatters = new OpenScatters(options.openCalls);
  }

  /** Begins with the inputs that `bindInputs` returned. Call it once. */
  start(inputs: CwlObject): Promise<Advance> {
    return this.#advance(() => {
      if (this.#root !== undefined) throw new Error("the workflow has been started already");
      const inputNames = this.#options.sampleNames ?? new Map<string, readonly string[]>();
      const { sampleId } = this.#options;
      const outermost = { parent: undefined, idPrefix: "", scatterIndex: [], sampleId };
      this.#root = this.#openFrame({ network: this.#network, ...outermost, inputs, inputNames });
    });
  }

  /** Reports the end of a call. Call this once for each call, one after the other. */
  callEnded(callId: string, outcome: CallOutcome): Promise<Advance> {
    return this.#advance(() => {
      const place = this.#open.get(callId);
      if (place === undefined) throw new Error(`no call with the id ${callId} is open`);
      this.#open.delete(callId);
      if (outcome.status === "failed") this.#noteFailure(place);
      this.#settle(place, outcome.status === "success" ? outcome.outputs : undefined);
    });
  }

  /** Continues with the calls that an earlier step left pending. */
  nextCalls(): Promise<Advance> {
    return this.#advance(() => undefined);
  }

  /** The number of jobs of each step, by path, and whether it can still grow. */
  stepSizes(): ReadonlyMap<string, StepSize> {
    return stepSizes(this.#network);
  }

  /** Paths of steps that, in at least one execution, cannot start because an earlier step failed. */
  blockedSteps(): readonly string[] {
    return blockedSteps(this.#network);
  }

  /** The names of list elements, by output; omits outputs without such names. */
  outputNames(): ElementNames {
    return this.#root === undefined ? new Map() : endedOutputs(this.#root, this.#options.limits).names;
  }

  /** The outputs that are available so far, null for the others. */
  partialOutputs(): CwlObject {
    return this.#root === undefined ? {} : this.#outputsOf(this.#root).outputs;
  }

  #outputsOf(frame: Frame): FrameOutputs {
    return frameOutputs(frame, this.#options.limits);
  }

  async #advance(begin: () => void): Promise<Advance> {
    if (this.#gathered !== undefined)
      throw new Error("the outcomes of a workflow's calls must be reported one at a time");
    const gathered: Gathered = { calls: [], failures: [], ended: undefined };
    this.#gathered = gathered;
    try {
      begin();
      await this.#workOff(gathered);
    } finally {
      this.#gathered = undefined;
    }
    return { ...gathered, isPending: this.#agenda.length > 0 || this.#scatters.next(this.#open.size) !== undefined };
  }

  /** Performs the pending tasks, but at most one iteration: a loop without calls must not block everything else. */
  async #workOff(gathered: Gathered): Promise<void> {
    const left: Task[] = [];
    let iterated = false;
    for (let made = 0; ; made++) {
      // The agenda grows during the loop.
      for (const task of this.#agenda) {
        if (task.kind === "iterate" && iterated) left.push(task);
        else await this.#perform(task, gathered);
        iterated ||= task.kind === "iterate";
        await this.#options.giveWay();
      }
      this.#agenda = [];
      const scatter = made < JOBS_PER_ADVANCE ? this.#scatters.next(this.#open.size) : undefined;
      if (scatter === undefined) break;
      await this.#makeJob(scatter, gathered);
    }
    this.#agenda = left;
  }

  #perform(task: Task, gathered: Gathered): Promise<void> | void {
    switch (task.kind) {
      case "start":
        return this.#startStep(task.frame, task.step, gathered);
      case "iterate":
        return this.#iterate(task.frame, task.step, gathered);
      case "end":
        return this.#endFrame(task.frame, gathered);
    }
  }

  #openFrame(options: Parameters<typeof createFrame>[0]): Frame {
    const frame = createFrame(options);
    frame.network.frames++;
    for (const [step, { dependencies }] of frame.network.steps.entries()) {
      if (dependencies.length === 0) this.#agenda.push({ kind: "start", frame, step });
    }
    if (frame.openSteps === 0) this.#agenda.push({ kind: "end", frame });
    return frame;
  }

  async #startStep(frame: Frame, step: number, gathered: Gathered): Promise<void> {
    const { compiled, state } = stepAt(frame, step);
    state.status = "running";
    if (compiled.step.loop !== undefined) return this.#iterate(frame, step, gathered);
    await loadSources(frame, compiled.step.in, this.#options.giveWay);
    const expanded = await attempt(() => expandStep(frame, compiled, { ...this.#options, jobs: this.#jobs }));
    compiled.size.expanded++;
    if ("failure" in expanded) return this.#failStep({ frame, step }, expanded.failure, gathered);
    const { jobs, next, shape, names } = expanded.value;
    state.shape = shape;
    state.openJobs = jobs;
    state.results = new JobResults(keptOutputs(compiled.step), jobs, this.#options.packing);
    if (names !== undefined) state.outputNames = new Map(compiled.step.out.map((out) => [out, names]));
    compiled.size.jobs += jobs;
    compiled.size.unmade += jobs;
    this.#jobs += jobs;
    if (jobs === 0) return this.#endStep(frame, step);
    const scatter = this.#scatters.add({ frame, step }, next);
    do await this.#makeJob(scatter, gathered);
    while (scatter.made < Math.min(jobs, FIRST_JOBS) && this.#open.size < this.#options.openCalls);
  }

  async #makeJob(scatter: OpenScatter, gathered: Gathered): Promise<void> {
    const { place, next } = scatter;
    const job = await next();
    if (job === undefined) throw new Error(`step ${place.step} has fewer jobs than were counted`);
    stepAt(place.frame, place.step).compiled.size.unmade--;
    this.#startJob({ ...place, job: this.#scatters.countJob(scatter) }, job, gathered);
    await this.#options.giveWay();
  }

  /** Starts the next iteration of a looped step, or ends the step. */
  async #iterate(frame: Frame, step: number, gathered: Gathered): Promise<void> {
    const { compiled, state } = stepAt(frame, step);
    const { limits } = this.#options;
    const next = await attempt(() => {
      requireJobsOfRun(this.#jobs + 1, limits, `steps.${compiled.path}`);
      return nextIteration(frame, step, this.#options);
    });
    if ("failure" in next) return this.#failStep({ frame, step }, next.failure, gathered);
    const iteration = next.value;
    if (iteration === undefined) return this.#endStep(frame, step);
    this.#jobs++;
    const job = compiled.step.loop?.outputMethod === "all" ? state.iterations : 0;
    state.iterations++;
    state.openJobs = 1;
    compiled.size.jobs++;
    this.#startJob({ frame, step, job }, iteration, gathered);
  }

  /** Fails a step as a whole. */
  #failStep({ frame, step }: Pick<JobPlace, "frame" | "step">, failure: CwlFailure, gathered: Gathered): void {
    gathered.failures.push(stepFailure(failure, stepAt(frame, step).compiled.path, undefined));
    this.#noteFailure({ frame, step });
    this.#endStep(frame, step);
  }

  #startJob(place: JobPlace, job: ExpandedJob, gathered: Gathered): void {
    const { compiled } = stepAt(place.frame, place.step);
    switch (job.decision.kind) {
      case "run":
        return this.#runJob(place, { ...job, decision: job.decision }, gathered);
      case "skip":
        compiled.size.skipped++;
        return this.#settle(place, undefined);
      case "fail":
        gathered.failures.push(stepFailure(job.decision.failure, compiled.path, job));
        this.#noteFailure(place);
        return this.#settle(place, undefined);
      case "lost":
        compiled.size.skipped++;
        this.#noteFailure(place);
        return this.#settle(place, undefined);
    }
  }

  #runJob(place: JobPlace, job: RunningJob, { calls }: Gathered): void {
    const { compiled } = stepAt(place.frame, place.step);
    const { id, sampleId, decision } = job;
    const { nested, path, requirements, step } = compiled;
    const scatterIndex = [...place.frame.scatterIndex, ...job.index];
    if (nested !== undefined)
      this.#openFrame({ ...decision, network: nested, parent: place, idPrefix: `${id}/`, scatterIndex, sampleId });
    if (step.run.class === "Workflow") return;
    this.#open.set(id, place);
    calls.push({ id, step: path, scatterIndex, process: step.run, requirements, inputs: decision.inputs, sampleId });
  }

  /** Records the end of a job; `outputs` is undefined if it failed or was skipped. */
  #settle({ frame, step, job }: JobPlace, outputs: CwlObject | undefined): void {
    const { compiled, state } = stepAt(frame, step);
    state.results.set(job, outputs);
    state.openJobs--;
    if (state.openJobs > 0) return;
    if (compiled.step.loop === undefined || state.hasFailed) this.#endStep(frame, step);
    else this.#agenda.push({ kind: "iterate", frame, step });
  }

  #endStep(frame: Frame, number: number): void {
    const { compiled, state } = stepAt(frame, number);
    state.status = "ended";
    if (compiled.step.loop !== undefined) {
      compiled.size.expanded++;
      if (compiled.step.loop.outputMethod === "all")
        state.shape = Array.from({ length: state.results.length }, (_, job) => job);
    }
    state.outputs = new StepOutputs(compiled.step.out, state.results, state.shape);
    state.results = new JobResults([]);
    for (const later of compiled.dependents) {
      const dependent = stepAt(frame, later).state;
      dependent.waitingFor--;
      if (dependent.waitingFor === 0 && dependent.status === "waiting")
        this.#agenda.push({ kind: "start", frame, step: later });
    }
    this.#closeSteps(frame, 1);
  }

  #closeSteps(frame: Frame, count: number): void {
    frame.openSteps -= count;
    if (count > 0 && frame.openSteps === 0) this.#agenda.push({ kind: "end", frame });
  }

  /**
   * Records the failure of a job or of a step as a whole, and blocks the steps and jobs that need it, also outside of a
   * nested workflow. Jobs of later steps that need only other jobs of the step still start.
   */
  #noteFailure({ frame, step, job }: FailedPlace): void {
    const { state } = stepAt(frame, step);
    const isWhole = job === undefined;
    const isFirst = !state.hasFailed;
    state.hasFailed = true;
    if (!isWhole) state.lost.add(job);
    if (isFirst || isWhole) this.#closeSteps(frame, blockDependents(frame, step, { isWhole }));
    if (frame.hasFailed) return;
    frame.hasFailed = true;
    if (frame.parent !== undefined) this.#noteFailure(frame.parent);
  }

  async #endFrame(frame: Frame, gathered: Gathered): Promise<void> {
    const { parent } = frame;
    await loadOutputs(frame, { keepPacked: parent === undefined }, this.#options.giveWay);
    if (parent === undefined) return this.#end(frame, gathered);
    const { outputs, names, failures } = this.#outputsOf(frame);
    if (!frame.hasFailed && failures.length > 0) this.#failOutputs(frame, failures, gathered);
    const { compiled, state } = stepAt(parent.frame, parent.step);
    if (compiled.step.scatter.length === 0 && compiled.step.loop?.outputMethod !== "all") state.outputNames = names;
    this.#settle(parent, outputs);
  }

  #end(root: Frame, gathered: Gathered): void {
    const { outputs, failures } = endedOutputs(root, this.#options.limits);
    if (!root.hasFailed && failures.length > 0) this.#failOutputs(root, failures, gathered);
    gathered.ended = { status: root.hasFailed ? "failed" : "success", outputs };
  }

  #failOutputs(frame: Frame, failures: readonly CwlFailure[], gathered: Gathered): void {
    gathered.failures.push(...failures.map((failure) => stepFailure(failure, frame.network.path, undefined)));
    frame.hasFailed = true;
    if (frame.parent !== undefined) this.#noteFailure(frame.parent);
  }
}

/** The position of a failed job or, without `job`, of a step that failed as a whole. */
type FailedPlace = Pick<JobPlace, "frame" | "step"> & Partial<Pick<JobPlace, "job">>;

type RunningJob = Omit<ExpandedJob, "decision"> & {
  readonly decision: Extract<ExpandedJob["decision"], { readonly kind: "run" }>;
};

function stepFailure(
  failure: CwlFailure,
  step: string,
  job: Pick<ExpandedJob, "id" | "sampleId"> | undefined,
): StepFailure {
  const { code, message, place, hint } = failure;
  return { step, callId: job?.id, sampleId: job?.sampleId, code, message, place, hint };
}
