import { CwlFailure } from "../cwl-failure.ts";
import { interpolatedText } from "../expression/json-text.ts";
import { kindText } from "../values/value-kind.ts";
import { environmentNameProblem } from "../model/requirement.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { WorkDirContext } from "./work-dir/work-dir-items.ts";

/**
 * The variables of EnvVarRequirement, by name. Throws INPUT_INVALID or EXPRESSION for an invalid name or value.
 * CWL v1.2 CommandLineTool.html#EnvVarRequirement.
 */
export async function planEnvironment(
  requirements: RequirementSet,
  { evaluator, context }: WorkDirContext,
): Promise<{ readonly [name: string]: string }> {
  const variables: [string, string][] = [];
  for (const { envName, envValue } of requirements.get("EnvVarRequirement")?.envDef ?? []) {
    const place = `requirements.EnvVarRequirement.${envName}`;
    const problem = environmentNameProblem(envName);
    if (problem !== undefined) throw new CwlFailure("INPUT_INVALID", problem, { place });
    const value = await evaluator.evaluate(envValue, { ...context, self: null }, { place });
    if (typeof value === "object")
      throw new CwlFailure(
        "EXPRESSION",
        `the environment variable \`${envName}\` must be a string, not ${kindText(value)}`,
        { place },
      );
    const text = interpolatedText(value);
    if (text.includes("\0"))
      throw new CwlFailure("INPUT_INVALID", `the environment variable \`${envName}\` contains a NUL character`, {
        place,
      });
    variables.push([envName, text]);
  }
  return Object.fromEntries(variables);
}
