import type { Capacity } from "./machine-capacity.ts";

/** A part of a machine. Cores in thousandths: sums of fractions would drift. */
export interface Room {
  readonly millicores: number;
  readonly ramMib: number;
  /** Jobs. */
  readonly slots: number;
}

export const NO_ROOM: Room = { millicores: 0, ramMib: 0, slots: 0 };

export function roomOf({ cores, ramMib, slots }: Capacity): Room {
  return { millicores: millicores(cores), ramMib, slots };
}

/** What a job takes. One that asks for more than there is takes all there is, and so runs alone. */
export function roomForJob({ cores, ramMib }: { readonly cores: number; readonly ramMib: number }, whole: Room): Room {
  return {
    millicores: Math.min(millicores(cores), whole.millicores),
    ramMib: Math.min(ramMib, whole.ramMib),
    slots: 1,
  };
}

export function plus(one: Room, other: Room): Room {
  return {
    millicores: one.millicores + other.millicores,
    ramMib: one.ramMib + other.ramMib,
    slots: one.slots + other.slots,
  };
}

export function minus(one: Room, other: Room): Room {
  return {
    millicores: one.millicores - other.millicores,
    ramMib: one.ramMib - other.ramMib,
    slots: one.slots - other.slots,
  };
}

export function isWithin(room: Room, whole: Room): boolean {
  return room.millicores <= whole.millicores && room.ramMib <= whole.ramMib && room.slots <= whole.slots;
}

/** The part of a machine that a room is, from 0 to 1: of what it takes most of. */
export function shareOf(room: Room, whole: Room): number {
  return Math.max(room.millicores / whole.millicores, room.ramMib / whole.ramMib, room.slots / whole.slots);
}

function millicores(cores: number): number {
  return Math.round(cores * 1000);
}
