import { setImmediate as later } from "node:timers";

/** Resolves, in real time, when nothing is left to do that follows from the last event. */
export function realImmediate(): Promise<void> {
  return new Promise((resolve) => void later(resolve));
}

/**
 * Resolves, in real time, when all promises are settled that can be. It takes less time than a turn of Node's event loop,
 * which alone reports rejections that nobody handles.
 */
export function promisesSettled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
