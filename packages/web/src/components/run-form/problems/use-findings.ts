import { unescapeSegment } from "@weft/shared/json-pointer.ts";
import type { Problem } from "@weft/shared/records/problem.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { useState } from "react";
import { sentence } from "../../../format/sentence.ts";
import type { FieldProblem } from "../model/check-value.ts";
import type { FormStore } from "../model/form-store.ts";

/** The problems of a request, apart from those that the store keeps for its fields. */
export interface Findings {
  /** Problems of the request as a whole. */
  readonly general: readonly string[];
  /** Problems of output destinations, by output id. */
  readonly placeProblems: Readonly<Record<string, string>>;
  /** A refusal without details, or a failed request. */
  readonly failure: Error | undefined;
  /** Number of refusals; the summary takes the focus after each. */
  readonly attempt: number;
}

/** The findings of the browser's own checks. */
export class FormProblems extends Error {
  readonly general: readonly string[];
  readonly fields: readonly FieldProblem[];

  constructor(general: readonly string[], fields: readonly FieldProblem[]) {
    super("The form has problems");
    this.general = general;
    this.fields = fields;
  }
}

const NOTHING = { general: [], placeProblems: {}, failure: undefined };

/** The problems that the browser or the server finds in a request; the form's store keeps those of fields. */
export function useFindings(store: FormStore) {
  const [found, setFound] = useState<Omit<Findings, "attempt">>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const clear = (): void => {
    setFound(NOTHING);
    store.setProblems([]);
  };
  const refuse = (error: Error): void => {
    const { fields, ...others } = findingsOf(error);
    store.setProblems(fields);
    setFound(others);
    setAttempt((count) => count + 1);
  };
  return { shown: { ...found, attempt }, clear, refuse };
}

function findingsOf(error: Error) {
  if (error instanceof FormProblems) return { ...NOTHING, general: error.general, fields: error.fields };
  const problem = error instanceof ApiError ? error.problem : undefined;
  if (problem === undefined || problem.errors.length === 0) return { ...NOTHING, failure: error, fields: [] };
  return { ...sortServerProblems(problem), failure: undefined };
}

const INPUTS = "/inputs/";
const PLACES = "/sink_data/";

interface SortedProblems extends Pick<Findings, "general" | "placeProblems"> {
  /** Problems of form fields; pointers are relative to the inputs. */
  readonly fields: readonly FieldProblem[];
}

/**
 * Sorts the server's findings: `/inputs/images/0/location` and `/sink_data/table` have a field, `/options` has none.
 */
export function sortServerProblems(problem: Problem): SortedProblems {
  const fields: FieldProblem[] = [];
  const placeProblems: Record<string, string> = {};
  const general: string[] = [];
  for (const { pointer = "", detail, hint } of problem.errors) {
    const message = hint === undefined ? detail : `${detail}. ${sentence(hint)}`;
    if (pointer.startsWith(INPUTS)) fields.push({ pointer: pointer.slice(INPUTS.length - 1), message });
    else if (pointer.startsWith(PLACES)) {
      const output = unescapeSegment(pointer.slice(PLACES.length));
      placeProblems[output] = message;
      general.push(`Destination of ${output}: ${message}`);
    } else general.push(message);
  }
  return { fields, placeProblems, general: fields.length + general.length === 0 ? [problem.detail] : general };
}
