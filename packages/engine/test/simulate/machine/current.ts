import type { Machine } from "./machine.ts";

let machine: Machine | undefined;

/** The machine on which the simulated modules of Node act. */
export function currentMachine(): Machine {
  if (machine === undefined) throw new Error("there is no simulated machine");
  return machine;
}

export function useMachine(next: Machine): void {
  machine = next;
}
