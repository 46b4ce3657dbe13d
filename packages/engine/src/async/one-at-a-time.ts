/**
 * A function that runs `task` after each call, but never twice at the same time. Calls during a run share the next one,
 * which begins when that run has ended.
 */
export function oneAtATime<Result>(task: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      const run = task();
      current = run.catch(() => {});
      return run;
    });
    return next;
  };
}
