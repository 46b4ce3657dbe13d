import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { evaluateResources } from "@weft/cwl/command/evaluate-resources.ts";
import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs } from "@weft/cwl/files/bind-inputs.ts";
import type { ResourceRequest } from "@weft/cwl/model/job-plan.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import { giveWay } from "../async/give-way.ts";
import { chooseBackend } from "../executor/backends/choose-backend.ts";
import { attemptFolder } from "../files/attempt-folder.ts";
import type { JobMachine, RunDisk, Scripts } from "./job-services.ts";
import type { BoundJob } from "./job.ts";
import { sizeOf } from "./launch-command.ts";

const MIB = 1024 * 1024;

/** The run's policy for jobs that ran out of memory; undefined: no retry. */
export type MemoryPolicy = RunOptions["on_out_of_memory"];

export interface BindOptions {
  readonly services: RunDisk & JobMachine & Scripts;
  /** File formats of the document with which the run began. */
  readonly formats: FormatKnowledge;
  /** The increase of memory; absent if no attempt ran out of it. */
  readonly memory?: { readonly policy: MemoryPolicy; readonly times: number } | undefined;
  /** See BoundJob. */
  readonly pinnedImage?: string | undefined;
  /** The backend of a job that an earlier server started; absent: chosen by the rules. */
  readonly backend?: BackendKind | undefined;
}

/** Binds the inputs of a call and determines its requests. Rejects with CwlFailure if it cannot run. */
export async function bindJob(
  call: Call,
  identity: { readonly runId: string; readonly jobId: string; readonly attempt: number },
  { services, formats, memory, pinnedImage, backend: begunAt }: BindOptions,
): Promise<BoundJob> {
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
    giveWay: giveWay,
    ...formats,
  });
  const asked = await evaluateResources(requirements, inputs, evaluator);
  const backend = begunAt ?? backendFor(call, asked, services);
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
  { backends }: BindOptions["services"],
): BackendKind {
  if (process.class !== "CommandLineTool") return "local";
  const limit = requirements.get("ToolTimeLimit")?.timelimit;
  return chooseBackend(
    backends,
    step,
    sizeOf({ requirements, resources }, typeof limit === "number" ? limit : undefined),
  );
}

/** The maximum memory of a job, in MiB; a cluster reports its own limits. */
export function memoryFor(backend: BackendKind, { scheduler }: JobMachine): number {
  return backend === "local" ? scheduler.capacity.ramMib : Number.POSITIVE_INFINITY;
}

/** Rejects a job that is too large for every machine. */
function resourcesAt(
  backend: BackendKind,
  asked: ResourceRequest,
  { services, memory }: Pick<BindOptions, "services" | "memory">,
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

/** Upper limit for a job that ran out of memory, in MiB. */
export function mostMemoryMib(policy: NonNullable<MemoryPolicy>, machineMib: number): number {
  return Math.min(machineMib, Math.floor((policy.up_to_bytes ?? Number.POSITIVE_INFINITY) / MIB));
}

interface Growth {
  readonly policy: MemoryPolicy;
  /** The number of the job's attempts so far that ran out of memory. */
  readonly times: number;
  readonly machineMib: number;
}

/**
 * The job's next memory request; never less than the tool's. Computed from the log alone, so a restart changes nothing.
 */
export function withMoreMemory(asked: ResourceRequest, { policy, times, machineMib }: Growth): ResourceRequest {
  if (policy === undefined || times === 0) return asked;
  const most = mostMemoryMib(policy, machineMib);
  const grow = (ramMib: number) => Math.max(ramMib, Math.min(most, Math.ceil(ramMib * policy.multiply ** times)));
  const ramMin = grow(asked.ramMin);
  return { ...asked, ramMin, ramMax: asked.ramMax === undefined ? undefined : Math.max(ramMin, grow(asked.ramMax)) };
}
