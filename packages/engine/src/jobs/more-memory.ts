import type { ResourceRequest } from "@weft/cwl/model/job-plan.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";

const MIB = 1024 * 1024;

/** What a run does about jobs that ran out of memory; undefined: nothing. */
export type MemoryPolicy = RunOptions["on_out_of_memory"];

/** Upper limit for such a job, in MiB. */
export function mostMemoryMib(policy: NonNullable<MemoryPolicy>, machineMib: number): number {
  return Math.min(machineMib, Math.floor((policy.up_to_bytes ?? Number.POSITIVE_INFINITY) / MIB));
}

interface Growth {
  readonly policy: MemoryPolicy;
  /** Attempts of the job so far that ran out of memory. */
  readonly times: number;
  readonly machineMib: number;
}

/**
 * The job's next memory request; never less than the tool's. Computed from the log alone, so a restart changes nothing.
 */
export function withMoreMemory(asked: ResourceRequest, { policy, times, machineMib }: Growth): ResourceRequest {
  if (policy === undefined || times === 0) return asked;
  const most = mostMemoryMib(policy, machineMib);
  const grow = (ramMib: number) => Math.max(ramMib, Math.min(most, Math.ceil(ramMib * policy.multiply ** times)));
  const ramMin = grow(asked.ramMin);
  return { ...asked, ramMin, ramMax: asked.ramMax === undefined ? undefined : Math.max(ramMin, grow(asked.ramMax)) };
}
