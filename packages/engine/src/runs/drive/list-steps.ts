import type { Process, Workflow } from "@weft/cwl/model/process.ts";
import type { RecordedStep } from "@weft/shared/events/run-events.ts";

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
