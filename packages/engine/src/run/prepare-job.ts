import { join } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { evaluateResources } from "@weft/cwl/command/evaluate-resources.ts";
import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs } from "@weft/cwl/files/bind-inputs.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { Job } from "../job/job.ts";
import { withMoreMemory } from "../job/more-memory.ts";
import type { MemoryPolicy } from "../job/more-memory.ts";
import type { RunServices } from "./run-services.ts";

/**
 * Folder of one attempt of a job, below the folder of its run: one level, because making folders is the dearest thing
 * that a job asks of a disk. No job id holds an `@`.
 */
export function attemptFolder(
  services: Pick<RunServices, "runsFolder">,
  runId: string,
  job: { readonly jobId: string; readonly attempt: number },
): string {
  return join(services.runsFolder, runId, "jobs", `${job.jobId}@${job.attempt}`);
}

export interface JobSurroundings {
  readonly services: RunServices;
  /** Of the document that the run began with. */
  readonly formats: FormatKnowledge;
  /** Absent: no attempt has run out of it. */
  readonly memory?: { readonly policy: MemoryPolicy; readonly times: number };
}

/** Binds the inputs of a call and finds out what it asks for. Rejects with CwlFailure where it cannot run. */
export async function prepareJob(
  call: Call,
  identity: { readonly runId: string; readonly jobId: string; readonly attempt: number },
  { services, formats, memory }: JobSurroundings,
): Promise<Job> {
  const { process, requirements } = call;
  const evaluator = createEvaluator({ script: services.script, requirements, cwlVersion: process.cwlVersion });
  const { files } = services;
  const inputs = await bindInputs({
    process,
    values: call.inputs,
    files,
    evaluator,
    requirements,
    // What lies beside a file is looked for once, when a run is asked for; from then on links carry it.
    discoverSecondaryFiles: false,
    ...formats,
  });
  const resources = await evaluateResources(requirements, inputs, evaluator);
  const { ramMib } = services.scheduler.capacity;
  if (resources.ramMin > ramMib) {
    throw new CwlFailure(
      "UNSUPPORTED",
      `the job asks for ${resources.ramMin} MiB of memory; this machine has ${ramMib} MiB for jobs`,
      {
        hint: "lower ramMin in the tool's ResourceRequirement, or run it on a larger machine",
      },
    );
  }
  return {
    ...identity,
    step: call.step,
    sampleId: call.sampleId,
    process,
    requirements,
    evaluator,
    inputs,
    resources: memory === undefined ? resources : withMoreMemory(resources, { ...memory, machineMib: ramMib }),
    folder: attemptFolder(services, identity.runId, identity),
  };
}
