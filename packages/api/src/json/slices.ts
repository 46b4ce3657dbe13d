import { setImmediate } from "node:timers/promises";

const STEPS = 256;

/** Splits a walk through a large JSON value into slices: yields to other requests after every 256 lists and objects. */
export class Slices {
  #steps = 0;

  /** Call it once for each list and object. Returns undefined, so that there is nothing to await, unless a slice has ended. */
  step(): Promise<void> | undefined {
    return ++this.#steps % STEPS === 0 ? setImmediate() : undefined;
  }
}
