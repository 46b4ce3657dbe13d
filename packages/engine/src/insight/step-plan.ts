import { sourceStep, type Process, type Workflow } from "@weft/cwl/model/process.ts";
import type { StepPlan } from "./forecast.ts";

/** The dependencies between the steps of a network, by their paths in job records; undefined for a single tool. */
export function stepPlan(process: Process): StepPlan | undefined {
  return process.class === "Workflow" ? planBelow(process, "") : undefined;
}

function planBelow({ steps }: Workflow, prefix: string): StepPlan {
  return {
    steps: steps.map(({ id, in: inputs, run, scatter, loop }) => {
      const sources = inputs.flatMap(({ source }) => source.flatMap((name) => sourceStep(name) ?? []));
      return {
        step: prefix + id,
        after: [...new Set(sources)].map((name) => prefix + name),
        repeats: scatter.length > 0 || loop !== undefined,
        ...(run.class === "Workflow" ? { inner: planBelow(run, `${prefix}${id}/`) } : {}),
      };
    }),
  };
}

/** The steps that always have exactly one job. */
export function singleSteps(plan: StepPlan): ReadonlySet<string> {
  return new Set(singlesBelow(plan));
}

function singlesBelow({ steps }: StepPlan): readonly string[] {
  return steps.flatMap(({ step, repeats = false, inner }) => {
    if (repeats) return [];
    return inner === undefined ? [step] : singlesBelow(inner);
  });
}
