import { setImmediate as nextTurn } from "node:timers/promises";
import { remembersUntilExit } from "./process-memory.ts";

/** One turn of the event loop runs several slices, plus work that is not sliced. */
const SLICE_MS = 5;
let turnSinceMs: number | undefined;
remembersUntilExit(() => (turnSinceMs = undefined));

/**
 * Splits long work into slices: yields to requests, job ends and aborts if work in the current turn of the event loop has lasted
 * long enough; otherwise returns undefined. Time counts from the first call in a turn, or from the last yield: call it
 * before the work begins, and after each step.
 */
export function giveWay(): Promise<void> | undefined {
  if (turnSinceMs === undefined) return beginTurn();
  return performance.now() - turnSinceMs < SLICE_MS ? undefined : nextTurn().then(beginTurn);
}

function beginTurn(): undefined {
  turnSinceMs = performance.now();
  setImmediate(() => (turnSinceMs = undefined));
}
