import type { ReasonCode } from "@weft/shared/records/state.ts";

/** Delays between the attempts of a job; the last one applies to all further attempts. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 5000, 30_000, 120_000];

/** Retries for transient failures if the run does not specify any. */
const TEMPORARY_RETRIES = 2;

/** Failures that are not the tool's fault: the same job may succeed a moment later, or when there is space again. */
const INFRASTRUCTURE: ReadonlySet<ReasonCode> = new Set(["BACKEND_LOST", "NODE_FAIL", "PREEMPTED", "DISK_FULL"]);

/**
 * Failures that another attempt may avoid, if the run requests one. A wrong expression or input stays wrong, and a
 * program that is missing now is usually missing a moment later.
 */
const ON_REQUEST: ReadonlySet<ReasonCode> = new Set([
  "TOOL_EXIT",
  "MISSING_OUTPUT",
  "OUTPUT_INVALID",
  "OUT_OF_MEMORY",
  "TIME_LIMIT",
  "SUBMIT_REJECTED",
]);

export interface FailedAttempt {
  /** Starts at 1. */
  readonly attempt: number;
  readonly code: ReasonCode;
  /** The tool lists its exit code in its `temporaryFailCodes`. */
  readonly isTemporary: boolean;
  /** The job's memory request. */
  readonly ramMib: number;
}

export interface RetryPolicy {
  /**
   * The number of retries requested for the run; undefined: none after failures of the tool, two after transient ones.
   */
  readonly retries: number | undefined;
  readonly delaysMs: readonly number[];
  /**
   * Maximum memory of an attempt after one that ran out of it; undefined: running out of memory is like any failure.
   */
  readonly mostMemoryMib: number | undefined;
}

/** The delay before the next attempt; undefined: no further attempt. */
export function retryDelayMs(failed: FailedAttempt, policy: RetryPolicy): number | undefined {
  const { attempt } = failed;
  const { delaysMs } = policy;
  if (!getsMoreMemory(failed, policy) && !isTriedAgain(failed, policy)) return undefined;
  return delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
}

/** Retries without limit while more memory is available. */
function getsMoreMemory({ code, ramMib }: FailedAttempt, { mostMemoryMib }: RetryPolicy): boolean {
  return code === "OUT_OF_MEMORY" && mostMemoryMib !== undefined && ramMib < mostMemoryMib;
}

function isTriedAgain({ attempt, code, isTemporary }: FailedAttempt, { retries }: RetryPolicy): boolean {
  const passes = isTemporary || INFRASTRUCTURE.has(code);
  if (!passes && !ON_REQUEST.has(code)) return false;
  return attempt <= (retries ?? (passes ? TEMPORARY_RETRIES : 0));
}
