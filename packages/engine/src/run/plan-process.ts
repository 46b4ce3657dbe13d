import type { Call } from "@weft/cwl/workflow/advance.ts";
import { attempt } from "@weft/cwl/attempt.ts";
import type { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { unknownJobs } from "@weft/cwl/workflow/unknown-jobs.ts";
import type { Plan, PlannedContainer, PlannedJob } from "@weft/shared/records/plan-record.ts";
import { containJob } from "../container/contain-job.ts";
import type { ContainerChoice } from "../container/containers.ts";
import { assumeRemote } from "../files/remote/assume-remote.ts";
import type { Job } from "../job/job.ts";
import { commandOf, launchOf, pathsOf, planCommand } from "../job/launch-command.ts";
import { listSteps } from "./list-steps.ts";
import { prepareJob } from "./prepare-job.ts";
import type { JobSurroundings } from "./prepare-job.ts";
import type { RunProgress } from "./run-plan.ts";
import { createProgress } from "./run-registry.ts";
import type { RunServices } from "./run-services.ts";

const SHOWN_JOBS = 200;
/** Stands in paths for the id that the run would get. */
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

/** What the cache would say of a job. */
export type CacheOfJob = (call: Call, job: Job) => Promise<PlannedJob["cache"]>;

const cacheNothing: CacheOfJob = async () => ({
  decision: "off",
  reason: "a run without a server has no earlier jobs to take over from",
  diff: [],
});

/** Why there is no plan: the run would fail here as well. */
export interface PlanFailure {
  /** One sentence with the place. */
  readonly failure: string;
  readonly hint: string | undefined;
}

/**
 * What a run of a process would do, as far as it can be known before anything ran: the jobs that could start at once, and
 * for every step whose jobs are not known the reason. Nothing is started, written or fetched.
 */
export async function planProcess(
  plannable: PlannableProcess,
  engine: RunServices,
  cacheOf: CacheOfJob = cacheNothing,
): Promise<ProcessPlan | PlanFailure> {
  const services = { ...engine, files: assumeRemote(engine.files) };
  const progress = createProgress(plannable, services);
  const { calls, failures } = await progress.start(plannable.bound);
  const [failed] = failures;
  if (failed !== undefined)
    return { failure: `Step ${failed.step} cannot start: ${failed.message}`, hint: failed.hint };
  const surroundings = { services, formats: plannable.formats, cacheOf };
  const planned = await attempt(() => planCalls(calls.slice(0, SHOWN_JOBS), surroundings));
  if ("failure" in planned) return toFailure(planned.failure);
  return { steps: planSteps(plannable.process, progress), jobs: planned.value, jobs_shown_of: calls.length };
}

function toFailure({ message, place, hint }: CwlFailure): PlanFailure {
  return { failure: `${message}${place === undefined ? "" : ` (${place})`}`, hint };
}

function planSteps(process: Process, progress: RunProgress): Plan["steps"] {
  const sizes = progress.stepSizes();
  const reasons = process.class === "Workflow" ? unknownJobs(process, sizes) : undefined;
  return listSteps(process).map(({ step }) => {
    const known = sizes.get(step);
    return {
      step,
      jobs_total: known === undefined ? 0 : known.jobs - known.skipped,
      jobs_total_is_final: known?.isFinal ?? false,
      unknown_because: [...(reasons?.get(step) ?? [])],
    };
  });
}

type PlanSurroundings = JobSurroundings & { readonly cacheOf: CacheOfJob };

async function planCalls(calls: readonly Call[], surroundings: PlanSurroundings): Promise<PlannedJob[]> {
  const jobs: PlannedJob[] = [];
  for (const call of calls) jobs.push(await planCall(call, surroundings));
  return jobs;
}

async function planCall(call: Call, surroundings: PlanSurroundings): Promise<PlannedJob> {
  const identity = { runId: PLANNED_ID, jobId: call.id.replaceAll("/", ".") || "main", attempt: 1 };
  const job = await prepareJob(call, identity, surroundings);
  return {
    step: call.step,
    sample_id: call.sampleId ?? null,
    scatter_index: [...call.scatterIndex],
    ...(await planStart(job, surroundings.services)),
    resources: { cores: job.resources.coresMin, ram_bytes: Math.round(job.resources.ramMin * 1024 * 1024) },
    cache: await surroundings.cacheOf(call, job),
  };
}

/** The command line to the letter where the image is on this machine; else with the image's name in the place of its id. */
async function planStart(job: Job, services: RunServices): Promise<Pick<PlannedJob, "command" | "container">> {
  const { process: tool } = job;
  if (tool.class !== "CommandLineTool") return { command: null, container: null };
  const choice = await services.containers.choose(job.requirements);
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
