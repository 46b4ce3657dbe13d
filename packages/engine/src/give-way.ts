import { setImmediate as nextTurn } from "node:timers/promises";

/** Lets requests, ends of jobs and aborts have their turn: to be called between the slices of what takes long. */
export async function giveWay(): Promise<void> {
  await nextTurn();
}
