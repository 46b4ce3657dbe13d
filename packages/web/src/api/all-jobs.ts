import type { JobState } from "@weft/shared/records/state.ts";

/** What the timeline and the matrix of samples keep of a job; times in milliseconds since 1970, undefined while they have not come. */
export interface JobTimes {
  readonly id: string;
  readonly step: string;
  readonly sample: string | null;
  readonly state: JobState;
  /** Number of the current attempt, from 1. */
  readonly attempt: number;
  /** True if the job took the result of an earlier one. */
  readonly cached: boolean;
  /** True if it is known to be ready and to wait only for its turn. */
  readonly isPrepared?: boolean;
  readonly queuedMs: number;
  readonly startedMs: number | undefined;
  /** When the program ended and its outputs began to be collected; known only of jobs whose end was seen live. */
  readonly exitedMs: number | undefined;
  readonly endedMs: number | undefined;
}

export interface AllJobs {
  readonly jobs: readonly JobTimes[];
  /** Jobs that the run has, of which at most MAX_JOBS are held. */
  readonly total: number;
}

/** More jobs than this are not held: the page says so and the list of jobs has them all. */
export const MAX_JOBS = 20_000;
