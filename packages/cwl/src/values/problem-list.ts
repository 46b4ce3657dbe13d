import type { InputProblem } from "./input-problem.ts";

/** More problems would not help the user and could fill the memory. */
export const MAX_PROBLEMS = 1000;

/** The first problems of a value. The first error is always among them, even after 1,000 warnings. */
export class ProblemList {
  readonly #problems: InputProblem[] = [];
  #hasError = false;

  get problems(): readonly InputProblem[] {
    return this.#problems;
  }

  /** True if further checks cannot add a problem. */
  get isFull(): boolean {
    return this.#hasError && this.#problems.length >= MAX_PROBLEMS;
  }

  add(problem: InputProblem): void {
    const isFirstError = problem.severity === "error" && !this.#hasError;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
    else if (isFirstError) this.#problems[MAX_PROBLEMS - 1] = problem;
    this.#hasError ||= isFirstError;
  }

  addAll(problems: Iterable<InputProblem>): void {
    for (const problem of problems) {
      if (this.isFull) return;
      this.add(problem);
    }
  }
}
