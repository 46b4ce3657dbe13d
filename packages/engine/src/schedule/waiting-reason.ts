import { countText } from "@weft/shared/text/count-text.ts";
import type { StateReason } from "@weft/shared/records/state.ts";
import { minus, type Resources } from "./resources.ts";
import { jobsBefore, type WaitingJob } from "./run-queue.ts";
import type { WaitingTotals } from "./waiting-counts.ts";

const MIB_PER_GIB = 1024;

/** The first thing that a job waits for. */
export const WAITING_FOR = ["cores", "memory", "slot", "kept_room", "turn", "run_bound", "paused"] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** The state of the scheduler that explains one waiting job. */
export interface SchedulerSnapshot {
  readonly job: WaitingJob;
  readonly whole: Resources;
  readonly used: Resources;
  /** The job with a reservation, if it prevents this one from starting or is this one. */
  readonly keptFor: WaitingJob | undefined;
  /** Jobs that wait with a higher priority. */
  readonly above: WaitingTotals;
  /** Other runs of its priority that have waiting jobs. */
  readonly otherRuns: number;
}

export function waitingFor({
  job,
  whole,
  used,
  keptFor,
}: Pick<SchedulerSnapshot, "job" | "whole" | "used" | "keptFor">): WaitingFor {
  const free = minus(whole, used);
  const { run } = job.queue;
  if (run.isPaused) return "paused";
  if (!run.isOpen) return "run_bound";
  const { slots, remote, expressions } = job.resources;
  if (free.slots < slots || free.remote < remote || free.expressions < expressions) return "slot";
  if (job.resources.millicores > free.millicores) return "cores";
  if (job.resources.ramMib > free.ramMib) return "memory";
  return keptFor === undefined || keptFor === job ? "turn" : "kept_room";
}

/** A sentence that says why a job waits, with current numbers. */
export function waitingText(standing: SchedulerSnapshot): string {
  const { job } = standing;
  if (job.queue.run.isPaused) return "its run is paused";
  return [obstacleText(standing), ...orderTexts(standing)].join("; ");
}

export function waitingReason(message: string): StateReason {
  return { code: "WAITING", message };
}

function obstacleText(standing: SchedulerSnapshot): string {
  const { job, keptFor } = standing;
  const { run } = job.queue;
  switch (waitingFor(standing)) {
    case "run_bound":
      return `the run is limited to ${countText(run.maxParallel, "job")} at a time`;
    case "slot":
      return slotText(standing);
    case "cores":
    case "memory":
      return lackText(standing) + (keptFor === job ? "; free resources are reserved for it" : "");
    case "kept_room":
      return keptFor === undefined ? "waiting for its turn" : keptText(keptFor, job);
    case "turn":
    case "paused":
      return "waiting for its turn";
  }
}

function slotText({ job: { resources }, used }: SchedulerSnapshot): string {
  if (resources.expressions > 0) return `waiting for ${countText(used.expressions, "other expression")}`;
  if (resources.remote > 0)
    return `waiting for a slot at its backend: ${countText(used.remote, "job")} of Weft ${used.remote === 1 ? "is" : "are"} there`;
  return `waiting for a slot: ${countText(used.slots, "job")} ${used.slots === 1 ? "is" : "are"} running`;
}

function lackText({ job: { resources }, whole, used }: SchedulerSnapshot): string {
  const free = minus(whole, used);
  const [freeCores, freeMib] = [Math.max(0, free.millicores / 1000), Math.max(0, free.ramMib)];
  const lacks = [
    ...(resources.millicores > free.millicores
      ? [`${countText(resources.millicores / 1000, "core")} (${freeCores} free now)`]
      : []),
    ...(resources.ramMib > free.ramMib
      ? [`${memoryText(resources.ramMib)} of memory (${memoryText(freeMib)} free now)`]
      : []),
  ];
  return `waiting for ${lacks.join(" and ")}`;
}

function keptText({ queue, ticket, resources }: WaitingJob, job: WaitingJob): string {
  const whose = queue.run === job.queue.run ? `${ticket.jobId} of its run` : "a job of another run";
  return `free resources are reserved for ${whose}, which requests ${countText(resources.millicores / 1000, "core")} and ${memoryText(resources.ramMib)} and has been waiting longer`;
}

function orderTexts({ job, above, otherRuns }: SchedulerSnapshot): readonly string[] {
  const own = jobsBefore(job);
  return [
    ...(own > 0 ? [`${countText(own, "job")} of its run ${own === 1 ? "is" : "are"} ahead of it`] : []),
    ...(above.jobs > 0
      ? [
          `${countText(above.jobs, "job")} of ${countText(above.runs, "run")} with a higher priority ${above.jobs === 1 ? "goes" : "go"} first`,
        ]
      : []),
    ...(otherRuns > 0 ? [`takes turns with ${countText(otherRuns, "other run")}`] : []),
  ];
}

function memoryText(mib: number): string {
  return mib < MIB_PER_GIB ? `${Math.round(mib)} MiB` : `${Math.round((mib / MIB_PER_GIB) * 10) / 10} GiB`;
}
