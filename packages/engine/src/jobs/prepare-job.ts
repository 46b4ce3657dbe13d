import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { evaluateResources } from "@weft/cwl/command/evaluate-resources.ts";
import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs } from "@weft/cwl/files/bind-inputs.ts";
import type { ResourceRequest } from "@weft/cwl/model/job-plan.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { BackendPolicy } from "../executor/choose-backend.ts";
import { chooseBackend } from "../executor/choose-backend.ts";
import { attemptFolder } from "../files/attempt-folder.ts";
import type { Job } from "./job.ts";
import { sizeOf } from "./launch-command.ts";
import { withMoreMemory } from "./more-memory.ts";
import type { MemoryPolicy } from "./more-memory.ts";
import type { ScriptEngine } from "@weft/cwl/expression/script-engine.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import { giveWayWhenDue } from "../async/give-way.ts";

/** The maximum memory of a job, in MiB; a cluster reports its own limits. */
export function memoryFor(backend: BackendKind, { scheduler }: Pick<PrepareServices, "scheduler">): number {
  return backend === "local" ? scheduler.capacity.ramMib : Number.POSITIVE_INFINITY;
}

export interface PrepareServices {
  readonly script: ScriptEngine;
  readonly files: FileAccess;
  readonly limits: Limits;
  readonly backends: BackendPolicy;
  readonly scheduler: Scheduler;
  readonly runsFolder: string;
}

export interface JobSurroundings {
  readonly services: PrepareServices;
  /** File formats of the document with which the run began. */
  readonly formats: FormatKnowledge;
  /** Absent: no attempt ran out of memory. */
  readonly memory?: { readonly policy: MemoryPolicy; readonly times: number } | undefined;
  /** See Job. */
  readonly pinnedImage?: string | undefined;
  /** The backend of a reattached job; absent: chosen by the rules. */
  readonly backend?: BackendKind | undefined;
}

/** Binds the inputs of a call and determines its requests. Rejects with CwlFailure if it cannot run. */
export async function prepareJob(
  call: Call,
  identity: { readonly runId: string; readonly jobId: string; readonly attempt: number },
  { services, formats, memory, pinnedImage, backend: reattachedAt }: JobSurroundings,
): Promise<Job> {
  const { process, requirements } = call;
  const evaluator = createEvaluator({
    script: services.script,
    requirements,
    cwlVersion: process.cwlVersion,
    limits: services.limits,
  });
  const inputs = await bindInputs({
    process,
    values: call.inputs,
    files: services.files,
    evaluator,
    requirements,
    // Secondary files are discovered once, when the run is created; after that, links carry them.
    discoverSecondaryFiles: false,
    giveWay: giveWayWhenDue,
    ...formats,
  });
  const asked = await evaluateResources(requirements, inputs, evaluator);
  const backend = reattachedAt ?? backendFor(call, asked, services);
  return {
    ...identity,
    step: call.step,
    sampleId: call.sampleId,
    process,
    requirements,
    evaluator,
    inputs,
    resources: resourcesAt(backend, asked, { services, memory }),
    backend,
    pinnedImage,
    folder: attemptFolder(services.runsFolder, identity.runId, identity),
  };
}

function backendFor(
  { process, requirements, step }: Call,
  resources: ResourceRequest,
  { backends }: PrepareServices,
): BackendKind {
  if (process.class !== "CommandLineTool") return "local";
  const limit = requirements.get("ToolTimeLimit")?.timelimit;
  return chooseBackend(
    backends,
    step,
    sizeOf({ requirements, resources }, typeof limit === "number" ? limit : undefined),
  );
}

/** Rejects a job that is too large for every machine. */
function resourcesAt(
  backend: BackendKind,
  asked: ResourceRequest,
  { services, memory }: Pick<JobSurroundings, "services" | "memory">,
): ResourceRequest {
  const ramMib = memoryFor(backend, services);
  if (asked.ramMin <= ramMib)
    return withMoreMemory(asked, { policy: memory?.policy, times: memory?.times ?? 0, machineMib: ramMib });
  throw new CwlFailure(
    "UNSUPPORTED",
    `the job requests ${asked.ramMin} MiB of memory; this machine has ${ramMib} MiB for jobs`,
    { hint: "lower ramMin in the tool's ResourceRequirement, or run it on a larger machine" },
  );
}
