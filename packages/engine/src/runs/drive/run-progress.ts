import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { acceptsList } from "@weft/cwl/model/cwl-type.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { effectiveRequirements, type RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { CommandLineTool, ExpressionTool, Operation, Process, Workflow } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import type { Advance, CallOutcome } from "@weft/cwl/workflow/advance.ts";
import { NetworkProgress } from "@weft/cwl/workflow/network-progress.ts";
import type { StepSize } from "@weft/cwl/workflow/step-sizes.ts";
import { giveWay } from "../../async/give-way.ts";
import type { Capacity } from "../../schedule/machine-capacity.ts";
import { onlySample, type SampleNames } from "../../sink/derivative/sample-sources.ts";
import { valuePacking } from "../../values/value-packing.ts";
import type { RunContext } from "./run-context.ts";
import type { JobMachine, RunDisk, Scripts } from "../../jobs/job-services.ts";
import type { RecordedStep } from "@weft/shared/events/run-events.ts";

const MIN_OPEN_CALLS = 512;

/** A workflow or a single tool as a state machine: it receives the ends of calls and returns the calls that can start. */
export interface RunProgress {
  start(inputs: CwlObject): Promise<Advance>;
  callEnded(callId: string, outcome: CallOutcome): Promise<Advance>;
  nextCalls(): Promise<Advance>;
  stepSizes(): ReadonlyMap<string, StepSize>;
  /** The names of list elements, by output, if they have names. */
  outputNames(): ReadonlyMap<string, readonly string[]>;
}

export function createProgress(
  run: Pick<RunContext, "process" | "samples" | "overrides">,
  services: RunDisk & JobMachine & Scripts,
): RunProgress {
  const process = withRequirements(run.process, run.overrides ?? []);
  const sampleId = sampleOfRun(process, run.samples);
  if (process.class !== "Workflow") return new ToolProgress(process, effectiveRequirements([process]), sampleId);
  return new NetworkProgress({
    workflow: process,
    requirements: effectiveRequirements([]),
    evaluatorFor: (effective, cwlVersion) =>
      createEvaluator({ script: services.script, requirements: effective, cwlVersion, limits: services.limits }),
    files: services.files,
    limits: services.limits,
    openCalls: openCalls(services.scheduler.capacity),
    giveWay,
    packing: valuePacking,
    sampleNames: new Map(Object.entries(run.samples)),
    sampleId,
  });
}

/** Enough calls for the scheduler to choose from, however many jobs run at a time. */
function openCalls({ slots, remote = 0 }: Capacity): number {
  return Math.max(MIN_OPEN_CALLS, 2 * (slots + remote));
}

/** The sample to which all single values of the run belong. */
function sampleOfRun({ inputs }: Process, samples: SampleNames): string | undefined {
  const single = inputs.filter(({ id, type }) => Object.hasOwn(samples, id) && !acceptsList(type));
  return onlySample(Object.fromEntries(single.map(({ id }) => [id, samples[id] ?? []])));
}

/** Requirements of an input object are added to the process's own and take precedence. */
function withRequirements(process: Process, overrides: readonly Requirement[]): Process {
  return overrides.length === 0 ? process : { ...process, requirements: [...process.requirements, ...overrides] };
}

const NOTHING: Advance = { calls: [], failures: [], isPending: false, ended: undefined };

/** A run of a single tool: one call, whose outputs are the run's. */
class ToolProgress implements RunProgress {
  readonly #process: CommandLineTool | ExpressionTool | Operation;
  readonly #requirements: RequirementSet;
  readonly #sampleId: string | undefined;

  constructor(process: CommandLineTool | ExpressionTool | Operation, requirements: RequirementSet, sampleId?: string) {
    this.#process = process;
    this.#requirements = requirements;
    this.#sampleId = sampleId;
  }

  async start(inputs: CwlObject): Promise<Advance> {
    const call = {
      id: "",
      step: "",
      scatterIndex: [],
      process: this.#process,
      requirements: this.#requirements,
      inputs,
      sampleId: this.#sampleId,
    };
    return { ...NOTHING, calls: [call] };
  }

  stepSizes() {
    return new Map([["", { jobs: 1, skipped: 0, isFinal: true }]]);
  }

  outputNames() {
    return new Map<string, readonly string[]>();
  }

  async callEnded(_callId: string, outcome: CallOutcome): Promise<Advance> {
    const ended =
      outcome.status === "success"
        ? { status: "success" as const, outputs: outcome.outputs }
        : { status: "failed" as const, outputs: {} };
    return { ...NOTHING, ended };
  }

  async nextCalls(): Promise<Advance> {
    return NOTHING;
  }
}

/** The steps that will have jobs, with nested networks expanded, in document order; a single unnamed one for a tool. */
export function listSteps(process: Process): readonly RecordedStep[] {
  if (process.class !== "Workflow")
    return [{ step: "", jobs_total: 1, jobs_total_is_final: true, label: process.label }];
  return stepsOf(process, "");
}

function stepsOf(workflow: Workflow, prefix: string): RecordedStep[] {
  return workflow.steps.flatMap((step) => {
    const path = `${prefix}${step.id}`;
    if (step.run.class === "Workflow") return stepsOf(step.run, `${path}/`);
    return [{ step: path, label: step.label ?? step.run.label, jobs_total: 0, jobs_total_is_final: false }];
  });
}
