import type { JobState, RunState } from "@weft/shared/records/state.ts";

export type StateTone = "queued" | "running" | "paused" | "success" | "failed" | "canceled" | "preempted";
export type StateIconName = "circle" | "dots" | "half" | "bars" | "check" | "cross" | "triangle" | "slash" | "down";

interface StateLook {
  readonly word: string;
  readonly icon: StateIconName;
  readonly tone: StateTone;
  /** True if the state is final. */
  readonly final: boolean;
  /** States never change to one of a lower rank. */
  readonly rank: number;
}

/** The word, sign and color of each state, the same on every page. */
export const STATE_LOOKS: Readonly<Record<RunState, StateLook>> = {
  QUEUED: { word: "Queued", icon: "circle", tone: "queued", final: false, rank: 0 },
  INITIALIZING: { word: "Preparing", icon: "dots", tone: "queued", final: false, rank: 1 },
  RUNNING: { word: "Running", icon: "half", tone: "running", final: false, rank: 2 },
  PAUSED: { word: "Paused", icon: "bars", tone: "paused", final: false, rank: 2 },
  CANCELING: { word: "Aborting", icon: "dots", tone: "canceled", final: false, rank: 3 },
  COMPLETE: { word: "Succeeded", icon: "check", tone: "success", final: true, rank: 4 },
  EXECUTOR_ERROR: { word: "Failed", icon: "cross", tone: "failed", final: true, rank: 4 },
  SYSTEM_ERROR: { word: "System error", icon: "triangle", tone: "failed", final: true, rank: 4 },
  CANCELED: { word: "Aborted", icon: "slash", tone: "canceled", final: true, rank: 4 },
  PREEMPTED: { word: "Preempted", icon: "down", tone: "preempted", final: true, rank: 4 },
};

export const RUN_STATE_NAMES = Object.keys(STATE_LOOKS) as RunState[]; // the keys of a Record over RunState

/** States that are not final. */
export const OPEN_STATES: readonly RunState[] = RUN_STATE_NAMES.filter((state) => !STATE_LOOKS[state].final);
/** States that count as running in totals and filters. */
export const ACTIVE_STATES: readonly RunState[] = OPEN_STATES.filter((state) => state !== "QUEUED");
export const FAILED_STATES = ["EXECUTOR_ERROR", "SYSTEM_ERROR", "PREEMPTED"] as const;

/** The number of runs or jobs in some states. */
export function countIn(counts: Readonly<Partial<Record<RunState, number>>>, states: readonly RunState[]): number {
  return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

export function isFailed(state: RunState): boolean {
  return FAILED_STATES.some((failed) => failed === state);
}

/** The order in which job counts are drawn and listed: done first, waiting last. */
export const JOB_STATE_ORDER: readonly JobState[] = [
  "COMPLETE",
  "EXECUTOR_ERROR",
  "SYSTEM_ERROR",
  "PREEMPTED",
  "CANCELED",
  "CANCELING",
  "RUNNING",
  "INITIALIZING",
  "QUEUED",
];

/** A state of a job as written in a URL, or undefined if there is none by that name. */
export function parseJobState(text: unknown): JobState | undefined {
  return JOB_STATE_ORDER.find((state) => state === text);
}
