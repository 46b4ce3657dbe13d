import { setTimeout as pause } from "node:timers/promises";

/** Resolves once `holds` is true. Polls, because nothing announces the change; the test has a time limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10);
}
