import { setImmediate as nextTurn } from "node:timers/promises";

/** Lets requests, ends of jobs and aborts have their turn: to be called between the slices of what takes long. */
export async function giveWay(): Promise<void> {
  await nextTurn();
}

const TURN_MS = 10;

/** One worker's turns at the event loop: many short steps may share one, but none goes on for long. */
export class Turns {
  #sinceMs = 0;

  /** After a wait. */
  begin(): void {
    this.#sinceMs = performance.now();
  }

  /** Between two steps: gives way where the turn has lasted long enough. */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#sinceMs < TURN_MS) return;
    await giveWay();
    this.begin();
  }
}
