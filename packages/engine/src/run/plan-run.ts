import type { Call } from "@weft/cwl/workflow/advance.ts";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Plan } from "@weft/shared/records/run-record.ts";
import type { Caller } from "../engine.ts";
import { containJob } from "../container/contain-job.ts";
import { commandOf, launchOf, pathsOf, planCommand } from "../job/launch-command.ts";
import { assumeRemote } from "../files/remote/assume-remote.ts";
import type { Job } from "../job/job.ts";
import { recordValues } from "../job/record-values.ts";
import { entryUrl } from "../catalog/present-entry.ts";
import { presentValues } from "../present/present-values.ts";
import { listSteps } from "./list-steps.ts";
import { prepareJob } from "./prepare-job.ts";
import type { JobSurroundings } from "./prepare-job.ts";
import type { ResolvedRequest } from "./resolve-request.ts";
import { createProgress } from "./run-registry.ts";
import type { RunServices } from "./run-services.ts";

const SHOWN_JOBS = 200;
/** Stands in paths for the id that the run would get. */
const PLANNED_ID = "planned";

/** What a run would do, as far as it can be known before anything ran: the jobs that could start at once. */
export async function planRun(caller: Caller, request: ResolvedRequest, engine: RunServices): Promise<Plan> {
  const services = { ...engine, files: assumeRemote(engine.files) };
  const { entry, bound, samples } = request;
  const progress = createProgress({ process: entry.process, samples }, services);
  const { calls, failures } = await progress.start(bound);
  const [failure] = failures;
  if (failure !== undefined)
    throw new Refusal("invalid-inputs", `Step ${failure.step} cannot start: ${failure.message}`);
  const sizes = progress.stepSizes();
  const jobs: Plan["jobs"] = [];
  for (const call of calls.slice(0, SHOWN_JOBS)) jobs.push(await planCall(call, { services, formats: entry.formats }));
  const { id, version, kind } = entry.place;
  const label = entry.process.label;
  return {
    [kind]: {
      id,
      version,
      digest: entry.digest,
      url: entryUrl(entry, caller.links),
      ...(label === undefined ? {} : { label }),
    },
    inputs: presentValues(recordValues(bound, services.uris).blob.text, caller.links),
    steps: listSteps(entry.process).map(({ step }) => {
      const known = sizes.get(step);
      return {
        step,
        jobs_total: known === undefined ? 0 : known.jobs - known.skipped,
        jobs_total_is_final: known?.isFinal ?? false,
      };
    }),
    jobs,
    jobs_shown_of: calls.length,
  };
}

async function planCall(call: Call, surroundings: JobSurroundings): Promise<Plan["jobs"][number]> {
  const shown = { step: call.step, sample_id: call.sampleId ?? null, scatter_index: [...call.scatterIndex] };
  const job = await prepareJob(
    call,
    { runId: PLANNED_ID, jobId: call.id.replaceAll("/", ".") || "main", attempt: 1 },
    surroundings,
  ).catch(refuse);
  const resources = { cores: job.resources.coresMin, ram_bytes: job.resources.ramMin * 1024 * 1024 };
  if (job.process.class !== "CommandLineTool") return { ...shown, command: null, resources };
  return { ...shown, command: await commandFor(job, job.process, surroundings.services), resources };
}

type CommandLineTool = Extract<Job["process"], { class: "CommandLineTool" }>;

async function commandFor(job: Job, tool: CommandLineTool, services: RunServices) {
  const choice = await services.containers.choose(job.requirements).catch(refuse);
  const plan = await planCommand(job, tool, choice).catch(refuse);
  const containment =
    choice?.engine === undefined ? undefined : containJob(job, plan, { choice, outside: pathsOf(job), services });
  return commandOf(plan, launchOf(job, plan, containment && { containment, image: undefined }));
}

function refuse(error: unknown): never {
  if (error instanceof CwlFailure)
    throw new Refusal("invalid-inputs", `${error.message}${error.place === undefined ? "" : ` (${error.place})`}`);
  throw error;
}
