import { attempt } from "@weft/cwl/attempt.ts";
import { evaluateResources } from "@weft/cwl/command/evaluate-resources.ts";
import type { JobPlan } from "@weft/cwl/model/job-plan.ts";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Command } from "@weft/shared/records/job-record.ts";
import { containerChosenBefore } from "../jobs/job-container.ts";
import type { EngineChoice } from "../container/containers.ts";
import type { BoundJob } from "../jobs/job.ts";
import { planCommand } from "../jobs/launch-command.ts";
import { attemptFolder } from "../files/attempt-folder.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { RecordedJob } from "./recorded-job.ts";

/** A started job, reconstructed from the log. */
export interface RepeatableJob {
  readonly job: BoundJob;
  readonly plan: JobPlan;
  /** Undefined if it ran without a container. */
  readonly choice: EngineChoice | undefined;
  /** The recorded command; its paths may refer to a state folder that has moved since. */
  readonly command: Command;
}

/**
 * Reconstructs a job, or returns a sentence that says why this is impossible. Evaluates expressions again, but starts
 * no program and reads no file.
 */
export async function repeatJob(
  recorded: Pick<RecordedJob, "row" | "at" | "inputs">,
  services: RunServices,
): Promise<RepeatableJob | string> {
  const { row, at, inputs } = recorded;
  const { process } = at;
  if (process.class !== "CommandLineTool") return "it is an expression: it starts no program";
  if (row.command === null || inputs === undefined) return "it was never prepared, so it has no command line";
  const { command } = row;
  const repeated = await attempt(async () => {
    const job = await describeJob({ ...recorded, inputs }, services);
    const choice = containerChosenBefore(recorded.at, recorded.row.container, services);
    return { job, choice, command, plan: await planCommand(job, process, choice) };
  });
  return "failure" in repeated ? `it can no longer be planned: ${repeated.failure.message}` : repeated.value;
}

async function describeJob(
  { row, at, inputs }: Pick<RecordedJob, "row" | "at"> & { readonly inputs: CwlObject },
  services: RunServices,
): Promise<BoundJob> {
  const { process, requirements } = at;
  const { runId, jobId, step, attempt: number } = row;
  const evaluator = createEvaluator({
    script: services.script,
    requirements,
    cwlVersion: process.cwlVersion,
    limits: services.limits,
  });
  if (process.class === "Workflow") throw new Error("a job of a network has no command line of its own");
  return {
    runId,
    jobId,
    step,
    sampleId: row.sampleId ?? undefined,
    attempt: number,
    process,
    requirements,
    evaluator,
    inputs,
    resources: await evaluateResources(requirements, inputs, evaluator),
    // A bundle can be repeated on any machine.
    backend: "local",
    folder: attemptFolder(services.runsFolder, runId, row),
  };
}
