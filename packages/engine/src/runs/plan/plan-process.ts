import type { Call } from "@weft/cwl/workflow/advance.ts";
import { attempt } from "@weft/cwl/attempt.ts";
import type { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import type { StepSize } from "@weft/cwl/workflow/step-sizes.ts";
import { unknownJobs } from "@weft/cwl/workflow/unknown-jobs.ts";
import type { Plan, PlannedContainer, PlannedJob } from "@weft/shared/records/plan-record.ts";
import { chooseContainer, containJob } from "../../jobs/job-container.ts";
import type { JobMachine, RunDisk, Scripts } from "../../jobs/job-services.ts";
import type { ContainerChoice } from "../../container/containers.ts";
import { Lookups, withLookups } from "../../files/lookups.ts";
import { assumeRemote } from "../../files/remote/assume-remote.ts";
import type { BoundJob } from "../../jobs/job.ts";
import { commandOf, launchOf, pathsOf, planCommand } from "../../jobs/launch-command.ts";
import { jobIdOf } from "../../jobs/job-events.ts";
import { createProgress, listSteps } from "../drive/run-progress.ts";
import { computedOutputs, PlanAhead, type CacheOfJob } from "./plan-ahead.ts";
import { bindJob, type BindOptions } from "../../jobs/bind-job.ts";

const SHOWN_JOBS = 200;
/** Replaces the run id in planned paths. */
const PLANNED_ID = "planned";

export interface PlannableProcess {
  readonly process: Process;
  readonly formats: FormatKnowledge;
  readonly bound: CwlObject;
  readonly samples: Readonly<Record<string, readonly string[]>>;
  /** `cwl:requirements` of an input object. */
  readonly overrides?: readonly Requirement[];
}

export type ProcessPlan = Pick<Plan, "steps" | "jobs" | "jobs_shown_of">;

const cacheNothing: CacheOfJob = async () => ({
  cache: { decision: "off", reason: "a run without a server has no earlier results to reuse", diff: [] },
  outputs: undefined,
});

/** The reason why there is no plan, for which the run would fail. */
export interface PlanFailure {
  /** One sentence that names the field of the document. */
  readonly failure: string;
  readonly hint: string | undefined;
}

/**
 * The plan of a run, as far as it can be known in advance (see `PlanAhead`): its jobs, and the reason for every step
 * whose jobs are unknown. Starts, writes and fetches nothing.
 */
export async function planProcess(
  plannable: PlannableProcess,
  engine: RunDisk & JobMachine & Scripts,
  cacheOf: CacheOfJob = cacheNothing,
): Promise<ProcessPlan | PlanFailure> {
  using lookups = new Lookups({ reach: engine.reach });
  const services = { ...engine, files: assumeRemote(withLookups(engine.files, lookups)) };
  const progress = createProgress(plannable, services);
  const ahead = new PlanAhead(progress, SHOWN_JOBS);
  await ahead.start(plannable.bound);
  const surroundings = { services, formats: plannable.formats, cacheOf };
  const planned = await attempt(() => planCalls(ahead, surroundings));
  if ("failure" in planned) return toFailure(planned.failure);
  const { failure: failed } = ahead;
  if (failed !== undefined)
    return { failure: `Step ${failed.step} cannot start: ${failed.message}`, hint: failed.hint };
  const jobs = planned.value;
  const steps = planSteps(plannable.process, progress.stepSizes(), ahead.ended);
  return { steps, jobs, jobs_shown_of: steps.reduce((sum, step) => sum + step.jobs_total, 0) };
}

function toFailure({ message, place, hint }: CwlFailure): PlanFailure {
  return { failure: `${message}${place === undefined ? "" : ` (${place})`}`, hint };
}

function planSteps(
  process: Process,
  sizes: ReadonlyMap<string, StepSize>,
  ended: ReadonlyMap<string, number>,
): Plan["steps"] {
  const reasons = process.class === "Workflow" ? unknownJobs(process, sizes, ended) : undefined;
  return listSteps(process).map(({ step, label }) => {
    const known = sizes.get(step);
    return {
      ...{ step, ...(label === undefined ? {} : { label }) },
      jobs_total: known === undefined ? 0 : known.jobs - known.skipped,
      jobs_total_is_final: known?.isFinal ?? false,
      unknown_because: [...(reasons?.get(step) ?? [])],
    };
  });
}

interface PlanSurroundings extends BindOptions {
  readonly services: RunDisk & JobMachine & Scripts;
  readonly cacheOf: CacheOfJob;
}

async function planCalls(ahead: PlanAhead, surroundings: PlanSurroundings): Promise<PlannedJob[]> {
  const jobs: PlannedJob[] = [];
  while (jobs.length < SHOWN_JOBS && ahead.failure === undefined) {
    const call = ahead.next();
    if (call === undefined) break;
    const { planned, outputs } = await planCall(call, jobIdOf(call.id, jobs.length + 1), surroundings);
    jobs.push(planned);
    if (outputs !== undefined) await ahead.endedWith(call, outputs);
  }
  return jobs;
}

async function planCall(call: Call, jobId: string, surroundings: PlanSurroundings) {
  const { services } = surroundings;
  const job = await bindJob(call, { runId: PLANNED_ID, jobId, attempt: 1 }, surroundings);
  const { cache, outputs } = await surroundings.cacheOf(call, job);
  const planned: PlannedJob = {
    step: call.step,
    sample_id: call.sampleId ?? null,
    scatter_index: [...call.scatterIndex],
    ...(await planStart(job, services)),
    resources: { cores: job.resources.coresMin, ram_bytes: Math.round(job.resources.ramMin * 1024 * 1024) },
    cache,
  };
  return { planned, outputs: outputs ?? (await computedOutputs(job, services.files)) };
}

/** The exact command line if the image is on this machine; otherwise it contains the image's name instead of its id. */
async function planStart(
  job: BoundJob,
  services: RunDisk & JobMachine & Scripts,
): Promise<Pick<PlannedJob, "command" | "container">> {
  const { process: tool } = job;
  if (tool.class !== "CommandLineTool") return { command: null, container: null };
  const choice = await chooseContainer(job, services);
  const plan = await planCommand(job, tool, choice);
  if (choice?.engine === undefined)
    return { command: commandOf(plan, launchOf(job, plan, undefined)), container: plannedContainer(choice, null) };
  const containment = containJob(job, plan, { choice, outside: pathsOf(job), services });
  const image = await services.containers.find(choice);
  const command = commandOf(plan, launchOf(job, plan, { containment, image }));
  return { command, container: plannedContainer(choice, image?.digest ?? null) };
}

function plannedContainer(choice: ContainerChoice | undefined, digest: string | null): PlannedContainer | null {
  if (choice === undefined) return null;
  const { image } = choice;
  if (choice.engine === undefined) return { image, engine: "none", why: choice.why };
  return { image, engine: choice.engine.kind, version: choice.version, digest };
}
