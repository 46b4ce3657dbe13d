import { setImmediate as later } from "node:timers";

/** Resolves, in real time, when nothing is left to do that follows from the last event. */
export function realImmediate(): Promise<void> {
  return new Promise((resolve) => void later(resolve));
}
