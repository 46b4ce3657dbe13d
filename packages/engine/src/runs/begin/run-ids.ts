import { randomInt } from "node:crypto";
import { v7 as uuidv7 } from "uuid";

/** Half of the counter's range, so that it does not overflow within a millisecond. */
const LARGEST_FIRST = 2 ** 31;

/**
 * Ids of new runs: UUIDs of version 7 (RFC 9562), strictly increasing even if the clock was set back or no server ran,
 * so that lists are ordered by id.
 */
export class RunIds {
  #lastMs: number;
  #count = 0;

  /** `newest`: the greatest recorded id. */
  constructor(newest: string | undefined) {
    // The next millisecond, because the newest id's counter is unknown.
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
