import type { JobState } from "@weft/shared/records/state.ts";

/** What the timeline keeps of a job; times in milliseconds since 1970, undefined while they have not come. */
export interface TimelineJob {
  readonly id: string;
  readonly step: string;
  readonly sample: string | null;
  readonly state: JobState;
  readonly queuedMs: number;
  readonly startedMs: number | undefined;
  /** When the program ended and its outputs began to be collected; known only of jobs whose end was seen live. */
  readonly exitedMs: number | undefined;
  readonly endedMs: number | undefined;
}

export interface TimelineData {
  readonly jobs: readonly TimelineJob[];
  /** Jobs that the run has, of which at most MAX_TIMELINE_JOBS are held. */
  readonly total: number;
}

/** More jobs than this are not held: the page says so and the list of jobs has them all. */
export const MAX_TIMELINE_JOBS = 20_000;
