import { setImmediate as nextTurn } from "node:timers/promises";
import { remembersUntilExit } from "./process-memory.ts";

/** Yields to requests, job ends and aborts. Call it between slices of long work. */
export async function giveWay(): Promise<void> {
  await nextTurn();
}

const TURN_MS = 10;
/** One turn runs several slices, plus work that is not sliced. */
const SLICE_MS = 5;
let turnSinceMs: number | undefined;
remembersUntilExit(() => (turnSinceMs = undefined));

/**
 * Yields if work in the current turn of the event loop has lasted long enough. For slices so small that a yield after each
 * would make long work wait for other requests hundreds of times.
 */
export async function giveWayWhenDue(): Promise<void> {
  const nowMs = performance.now();
  if (turnSinceMs === undefined) {
    turnSinceMs = nowMs;
    setImmediate(() => (turnSinceMs = undefined));
  }
  if (nowMs - turnSinceMs >= SLICE_MS) await nextTurn();
}

/** Lets one worker run many short steps per turn of the event loop while keeping each turn short. */
export class Turns {
  #sinceMs = 0;

  /** Call it after an `await`. */
  begin(): void {
    this.#sinceMs = performance.now();
  }

  /** Call it between two steps: yields if the turn has lasted long enough. */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#sinceMs < TURN_MS) return;
    await giveWay();
    this.begin();
  }
}
