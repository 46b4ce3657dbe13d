import type { InputProblem } from "@weft/cwl/values/input-problem.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";

/**
 * Binding problems for a response, without those at, around or inside a location that was already refused. Takes time
 * in proportion to the number of problems.
 */
export function inputErrors(problems: readonly InputProblem[], located: readonly ProblemError[]): ProblemError[] {
  const refused = new Set(located.flatMap(({ pointer }) => pointer ?? []));
  const around = new Set([...refused].flatMap(ancestors));
  const isKnown = (pointer: string) => around.has(pointer) || ancestors(pointer).some((place) => refused.has(place));
  return problems.flatMap(({ pointer: inner, code, message, hint }) => {
    const pointer = `/inputs${inner}`;
    if (isKnown(pointer)) return [];
    return [{ pointer, code, detail: message, ...(hint === undefined ? {} : { hint }) }];
  });
}

/** The pointer itself and all its prefixes. */
function ancestors(pointer: string): string[] {
  const found: string[] = [];
  for (let place = pointer; place !== ""; place = place.slice(0, Math.max(0, place.lastIndexOf("/"))))
    found.push(place);
  return found;
}
