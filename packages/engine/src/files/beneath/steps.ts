import { withRealPaths } from "./system-calls.ts";

/** One system call: `now` blocks, `later` uses a thread. Without `now`, the call may take long on any disk. */
export interface Step<Value> {
  readonly now?: () => Value;
  readonly later: () => Promise<Value>;
}

/** An operation on a disk as a sequence of system calls, so that one algorithm serves local and remote disks. */
export type Steps<Result> = Generator<Step<unknown>, Result, unknown>;

export function* take<Value>(step: Step<Value>): Steps<Value> {
  // The driver answers each step with the value of its call.
  return (yield step) as Value;
}

/** Steps for a local disk, which answers in microseconds. A step that may take long throws. */
export function runNow<Result>(steps: Steps<Result>): Result {
  let next = steps.next();
  while (next.done !== true) {
    const { now } = next.value;
    if (now === undefined) throw new Error("this operation may take long, so it cannot block the server");
    next = settle(steps, () => now());
  }
  return next.value;
}

/** Runs steps on a local disk that may take long. */
export async function runNear<Result>(steps: Steps<Result>): Promise<Result> {
  let next = steps.next();
  while (next.done !== true) {
    const { now, later } = next.value;
    next = now === undefined ? await settleLater(steps, later) : settle(steps, now);
  }
  return next.value;
}

/** Runs steps on any disk: a network file system may block a thread, but not the server. */
export async function runLater<Result>(steps: Steps<Result>): Promise<Result> {
  let next = steps.next();
  while (next.done !== true) next = await settleLater(steps, next.value.later);
  return next.value;
}

function settle<Result>(steps: Steps<Result>, call: () => unknown): IteratorResult<Step<unknown>, Result> {
  let value: unknown;
  try {
    value = call();
  } catch (error) {
    return steps.throw(withRealPaths(error));
  }
  return steps.next(value);
}

async function settleLater<Result>(
  steps: Steps<Result>,
  call: () => Promise<unknown>,
): Promise<IteratorResult<Step<unknown>, Result>> {
  let value: unknown;
  try {
    value = await call();
  } catch (error) {
    return steps.throw(withRealPaths(error));
  }
  return steps.next(value);
}
