import type { ProblemError } from "./problem.ts";

/** The first problems, then one that counts the others: nobody reads thousands, and an answer must stay small. */
export function reportedErrors(errors: readonly ProblemError[], max: number): readonly ProblemError[] {
  if (errors.length <= max) return errors;
  const more = errors.length - max;
  return [
    ...errors.slice(0, max),
    {
      code: "more-problems",
      detail: more === 1 ? "1 more problem is not listed" : `${more.toLocaleString("en")} more problems are not listed`,
      hint: "correct what is listed, then send the request again",
    },
  ];
}
