import type { JobState } from "./state.ts";

/** One letter per state, so that the states of 10,000 samples in 10 steps stay small. */
export const SAMPLE_STATE_LETTERS = {
  QUEUED: "Q",
  INITIALIZING: "I",
  RUNNING: "R",
  COMPLETE: "C",
  CANCELING: "x",
  CANCELED: "X",
  PREEMPTED: "P",
  SYSTEM_ERROR: "S",
  EXECUTOR_ERROR: "E",
} as const satisfies Readonly<Record<JobState, string>>;

/** The character for a sample without a job of the step. */
export const NO_JOB_LETTER = ".";
