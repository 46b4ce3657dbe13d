import { randomInt } from "node:crypto";
import { v7 as uuidv7 } from "uuid";

/** Half of what the counter holds, so that it does not run over within a millisecond. */
const LARGEST_FIRST = 2 ** 31;

/**
 * Ids of new runs: UUIDs of version 7 (RFC 9562), each greater than the ones before, also when the clock was set back meanwhile or
 * while no server ran: lists are in the order of ids.
 */
export class RunIds {
  #lastMs: number;
  #count = 0;

  /** `newest`: the greatest id on record. */
  constructor(newest: string | undefined) {
    // The next millisecond, because the counter of the newest is not known.
    this.#lastMs = newest === undefined ? 0 : Number.parseInt(newest.replaceAll("-", "").slice(0, 12), 16) + 1;
  }

  next(wallMs = Date.now()): string {
    if (wallMs > this.#lastMs) {
      this.#lastMs = wallMs;
      this.#count = randomInt(LARGEST_FIRST);
    }
    this.#count += 1;
    return uuidv7({ msecs: this.#lastMs, seq: this.#count });
  }
}
