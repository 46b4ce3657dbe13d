import { setTimeout as pause } from "node:timers/promises";
import type { ContainerEngine } from "./container-engine.ts";

const POLL_MS = 100;
const GIVE_UP_MS = 10_000;

export interface Removal {
  readonly removed: number;
  /** True when the engine itself said that nothing with the label is left. */
  readonly proven: boolean;
}

/**
 * Removes every container that carries a label until the engine tells of none. An engine that does not answer is asked
 * again for a while: as long as it is silent nothing is proven.
 */
export async function removeContainers(engine: ContainerEngine, label: string): Promise<Removal> {
  const removed = new Set<string>();
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    const left = await engine.containers(label, "all").catch(() => undefined);
    if (left?.length === 0) return { removed: removed.size, proven: true };
    if (performance.now() > deadline) return { removed: removed.size, proven: false };
    for (const id of left ?? []) removed.add(id);
    await engine.remove(left ?? []);
    if (left === undefined) await pause(POLL_MS);
  }
}
