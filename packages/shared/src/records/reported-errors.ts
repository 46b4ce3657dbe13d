import type { ProblemError } from "./problem.ts";

const REST = "more-problems";

/**
 * The first problems, then one that counts the others: nobody reads thousands, and an answer must stay small. A list
 * that was already shortened stays as it is. `isComplete`: false if the check ended before it had found all problems.
 */
export function reportedErrors(
  errors: readonly ProblemError[],
  max: number,
  { isComplete = true } = {},
): readonly ProblemError[] {
  if (errors.length <= max || (errors.length === max + 1 && errors[max]?.code === REST)) return errors;
  const more = errors.length - max;
  const least = isComplete ? "" : "at least ";
  return [
    ...errors.slice(0, max),
    {
      code: REST,
      detail: `${least}${more === 1 ? "1 more problem is" : `${more.toLocaleString("en")} more problems are`} not listed`,
      hint: "correct what is listed, then send the request again",
    },
  ];
}
