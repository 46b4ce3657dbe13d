import type { JobState } from "@weft/shared/records/state.ts";

/** The timeline's record of a job; times in milliseconds since 1970, undefined until known. */
export interface JobTimes {
  readonly id: string;
  readonly step: string;
  readonly sample: string | null;
  readonly state: JobState;
  /** Number of the current attempt, from 1. */
  readonly attempt: number;
  /** True for a cache hit. */
  readonly cached: boolean;
  /** True if it is known to be ready and only waits for its turn. */
  readonly isPrepared?: boolean;
  readonly queuedMs: number;
  readonly startedMs: number | undefined;
  /** When the program ended and its outputs began to be collected; known only for jobs whose end was seen live. */
  readonly exitedMs: number | undefined;
  readonly endedMs: number | undefined;
  /** Requested, like `ramBytes`; undefined if unknown. */
  readonly cores: number | undefined;
  readonly ramBytes: number | undefined;
  /** Peak memory, where it was measured. */
  readonly rssBytes: number | undefined;
}

export interface AllJobs {
  readonly jobs: readonly JobTimes[];
  /** Total number of jobs of the run, of which at most MAX_JOBS are kept. */
  readonly total: number;
}

/** Maximum number of jobs kept: beyond it, the page says so, and the list of jobs has them all. */
export const MAX_JOBS = 200_000;
