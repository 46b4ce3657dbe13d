import type { Problem } from "@weft/shared/records/problem.ts";
import type { FieldProblem } from "./check-value.ts";

const INPUTS = "/inputs";

export interface SortedProblems {
  /** At a field of the form; pointers are relative to the inputs. */
  readonly fields: readonly FieldProblem[];
  /** About the request as a whole. */
  readonly general: readonly string[];
}

/** Sorts what the server found: `/inputs/images/0/location` belongs to a field, `/options` and others to the whole. */
export function sortServerProblems(problem: Problem): SortedProblems {
  const fields: FieldProblem[] = [];
  const general: string[] = [];
  for (const { pointer = "", detail, hint } of problem.errors) {
    const message = hint === undefined ? detail : `${detail}. ${hint}`;
    if (pointer.startsWith(`${INPUTS}/`)) fields.push({ pointer: pointer.slice(INPUTS.length), message });
    else general.push(message);
  }
  return { fields, general: fields.length + general.length === 0 ? [problem.detail] : general };
}
