import type { StateReason } from "@weft/shared/records/state.ts";
import type { Capacity } from "./machine-capacity.ts";

const MIB_PER_GIB = 1024;

/** What keeps the first waiting job of a run from starting, as the scheduler finds it when it is asked. */
export interface Obstacle {
  readonly cores: number;
  readonly ramMib: number;
  readonly usedCores: number;
  readonly usedRamMib: number;
  /** Jobs that run now, of all runs and of the job's own. */
  readonly running: number;
  readonly runningOfRun: number;
  readonly maxParallel: number;
  readonly capacity: Capacity;
}

/** Why a job waits that is the first of its run: one sentence, whose numbers are those of this moment. */
export function waitingText(obstacle: Obstacle): string {
  const { runningOfRun, maxParallel } = obstacle;
  if (runningOfRun >= maxParallel) return `the run runs at most ${countText(maxParallel, "job")} at a time`;
  const lacking = lackText(obstacle);
  // With nothing of its own at work, it is others that have what it asks for.
  return runningOfRun === 0 ? `waits its turn behind other runs: ${lacking}` : lacking;
}

export function waitingReason(message: string): StateReason {
  return { code: "WAITING", message };
}

function lackText({ cores, ramMib, usedCores, usedRamMib, running, capacity }: Obstacle): string {
  if (running >= capacity.slots)
    return `waiting for a slot: ${countText(running, "job")} ${running === 1 ? "runs" : "run"}`;
  const freeCores = Math.max(0, Math.round((capacity.cores - usedCores) * 1000) / 1000);
  const freeMib = Math.max(0, capacity.ramMib - usedRamMib);
  const lacks = [
    ...(cores > freeCores ? [`${countText(cores, "core")}, ${freeCores} free`] : []),
    ...(ramMib > freeMib ? [`${memoryText(ramMib)} of memory, ${memoryText(freeMib)} free`] : []),
  ];
  return lacks.length === 0 ? "waiting for its turn" : `waiting for ${lacks.join(", and for ")}`;
}

function countText(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

function memoryText(mib: number): string {
  return mib < MIB_PER_GIB ? `${Math.round(mib)} MiB` : `${Math.round((mib / MIB_PER_GIB) * 10) / 10} GiB`;
}
