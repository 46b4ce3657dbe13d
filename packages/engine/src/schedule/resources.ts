import type { Capacity } from "./machine-capacity.ts";

/** A share of a machine. Cores in thousandths, because sums of fractions would drift. */
export interface Resources {
  readonly millicores: number;
  readonly ramMib: number;
  /** Jobs on this machine. */
  readonly slots: number;
  /** The number of jobs at remote backends, which use no resources of this machine. */
  readonly remote: number;
  /** Expressions that the server evaluates. */
  readonly expressions: number;
}

export const NO_RESOURCES: Resources = { millicores: 0, ramMib: 0, slots: 0, remote: 0, expressions: 0 };
const ONE_REMOTE: Resources = { ...NO_RESOURCES, remote: 1 };
const ONE_EXPRESSION: Resources = { ...NO_RESOURCES, expressions: 1 };
/** The maximum number of expressions that wait for script threads. */
const MAX_EXPRESSIONS = 16;

export function resourcesOf({ cores, ramMib, slots, remote = 0 }: Capacity): Resources {
  return { millicores: millicores(cores), ramMib, slots, remote, expressions: MAX_EXPRESSIONS };
}

/** A job's request, and where it runs. */
export interface ResourceRequest {
  readonly cores: number;
  readonly ramMib: number;
  readonly isRemote?: boolean;
  readonly isExpression?: boolean;
}

/** The total capacity for jobs. */
export function jobsIn({ slots, remote, expressions }: Resources): number {
  return slots + remote + expressions;
}

/** The resources that a job occupies. A job that requests more than the capacity takes all of it, and so runs alone. */
export function resourcesForJob(request: ResourceRequest, whole: Resources): Resources {
  const { cores, ramMib, isRemote = false, isExpression = false } = request;
  if (isExpression) return ONE_EXPRESSION;
  if (isRemote) return ONE_REMOTE;
  return {
    ...NO_RESOURCES,
    millicores: Math.min(millicores(cores), whole.millicores),
    ramMib: Math.min(ramMib, whole.ramMib),
    slots: 1,
  };
}

export function plus(one: Resources, other: Resources): Resources {
  return {
    millicores: one.millicores + other.millicores,
    ramMib: one.ramMib + other.ramMib,
    slots: one.slots + other.slots,
    remote: one.remote + other.remote,
    expressions: one.expressions + other.expressions,
  };
}

export function minus(one: Resources, other: Resources): Resources {
  return {
    millicores: one.millicores - other.millicores,
    ramMib: one.ramMib - other.ramMib,
    slots: one.slots - other.slots,
    remote: one.remote - other.remote,
    expressions: one.expressions - other.expressions,
  };
}

export function isWithin(resources: Resources, whole: Resources): boolean {
  const isOnMachine =
    resources.millicores <= whole.millicores && resources.ramMib <= whole.ramMib && resources.slots <= whole.slots;
  return isOnMachine && resources.remote <= whole.remote && resources.expressions <= whole.expressions;
}

/** The largest share that the amounts take of a capacity, from 0 to 1. */
export function shareOf(resources: Resources, whole: Resources): number {
  return Math.max(
    resources.millicores / whole.millicores,
    resources.ramMib / whole.ramMib,
    resources.slots / whole.slots,
    whole.remote === 0 ? 0 : resources.remote / whole.remote,
  );
}

function millicores(cores: number): number {
  return Math.round(cores * 1000);
}
