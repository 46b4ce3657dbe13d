import type { Problem } from "@weft/shared/records/problem.ts";
import { unescapeSegment } from "@weft/shared/json-pointer.ts";
import type { FieldProblem } from "./check-value.ts";

const INPUTS = "/inputs/";
const PLACES = "/sink_data/";

export interface SortedProblems {
  /** Problems of form fields; pointers are relative to the inputs. */
  readonly fields: readonly FieldProblem[];
  /** Problems of output destinations, by output id. */
  readonly places: Readonly<Record<string, string>>;
  /** Problems without a field. */
  readonly general: readonly string[];
}

/**
 * Sorts the server's findings: `/inputs/images/0/location` and `/sink_data/table` have a field, `/options` has none.
 */
export function sortServerProblems(problem: Problem): SortedProblems {
  const fields: FieldProblem[] = [];
  const places: Record<string, string> = {};
  const general: string[] = [];
  for (const { pointer = "", detail, hint } of problem.errors) {
    const message = hint === undefined ? detail : `${detail}. ${hint}`;
    if (pointer.startsWith(INPUTS)) fields.push({ pointer: pointer.slice(INPUTS.length - 1), message });
    else if (pointer.startsWith(PLACES)) {
      const output = unescapeSegment(pointer.slice(PLACES.length));
      places[output] = message;
      general.push(`Destination of ${output}: ${message}`);
    } else general.push(message);
  }
  return { fields, places, general: fields.length + general.length === 0 ? [problem.detail] : general };
}
