import { CwlFailure } from "../cwl-failure.ts";
import { kindText } from "../values/value-kind.ts";
import type { JobPlan } from "../model/job-plan.ts";
import type { CwlValue } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { WorkDirContext } from "./work-dir/work-dir-items.ts";

type JobLimits = Pick<JobPlan, "timeLimitSeconds" | "networkAccess" | "enableReuse" | "inplaceUpdate">;

/**
 * The limits and permissions of a job, with their expressions evaluated. Throws EXPRESSION for a value of the wrong type.
 * CWL v1.2 CommandLineTool.html#ToolTimeLimit, #NetworkAccess, #WorkReuse, #InplaceUpdateRequirement.
 */
export async function planLimits(requirements: RequirementSet, evaluation: WorkDirContext): Promise<JobLimits> {
  const limit = requirements.get("ToolTimeLimit")?.timelimit;
  const network = requirements.get("NetworkAccess")?.networkAccess;
  return {
    timeLimitSeconds: limit === undefined ? undefined : await timeLimit(limit, evaluation),
    networkAccess:
      network === undefined ? false : await flag(network, "requirements.NetworkAccess.networkAccess", evaluation),
    enableReuse: await mayBeReused(requirements, evaluation),
    inplaceUpdate: requirements.get("InplaceUpdateRequirement")?.inplaceUpdate ?? false,
  };
}

/** Whether WorkReuse lets a job reuse results; true if the document does not say. CWL v1.2 CommandLineTool.html#WorkReuse. */
export async function mayBeReused(requirements: RequirementSet, evaluation: WorkDirContext): Promise<boolean> {
  const reuse = requirements.get("WorkReuse")?.enableReuse;
  return reuse === undefined ? true : flag(reuse, "requirements.WorkReuse.enableReuse", evaluation);
}

async function timeLimit(written: CwlValue, { evaluator, context }: WorkDirContext): Promise<number | undefined> {
  const place = "requirements.ToolTimeLimit.timelimit";
  const seconds = await evaluator.evaluate(written, { ...context, self: null }, { place });
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) {
    const message = `\`timelimit\` must be a number of seconds, not ${kindText(seconds)}`;
    throw new CwlFailure("EXPRESSION", message, { place });
  }
  if (seconds < 0) throw new CwlFailure("INPUT_INVALID", `\`timelimit\` is negative (${seconds})`, { place });
  return seconds === 0 ? undefined : seconds;
}

async function flag(written: CwlValue, place: string, { evaluator, context }: WorkDirContext): Promise<boolean> {
  const value = await evaluator.evaluate(written, { ...context, self: null }, { place });
  if (typeof value === "boolean") return value;
  throw new CwlFailure("EXPRESSION", `expected true or false, found ${kindText(value)}`, { place });
}
