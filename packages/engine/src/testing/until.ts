import { setTimeout as pause } from "node:timers/promises";

/** Resolves when `holds` does. It asks with pauses, for what announces its changes to nobody; the limit of the test ends a wait in vain. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10);
}
