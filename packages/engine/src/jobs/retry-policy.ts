import type { ReasonCode } from "@weft/shared/records/state.ts";

/** Times between the attempts of a job; the last one stands for all that follow. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 5000, 30_000, 120_000];

/** What may go away by itself is tried this often again where the run does not say. */
const TEMPORARY_RETRIES = 2;

/** Failures that are no fault of the tool: the same job may do well a moment later, or when there is room again. */
const INFRASTRUCTURE: ReadonlySet<ReasonCode> = new Set(["BACKEND_LOST", "NODE_FAIL", "PREEMPTED", "DISK_FULL"]);

/**
 * Failures that another attempt can end otherwise, if the run asks for one; a wrong expression or input is wrong again. What
 * cannot be started on this machine (no such program in the image) is as a rule not there a moment later either.
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
  /** From 1. */
  readonly attempt: number;
  readonly code: ReasonCode;
  /** The tool lists its exit code among its `temporaryFailCodes`. */
  readonly isTemporary: boolean;
  /** The memory that it had asked for. */
  readonly ramMib: number;
}

export interface RetryPolicy {
  /** As the run was asked for; undefined: none for the tool's own failures, two for what is temporary. */
  readonly retries: number | undefined;
  readonly delaysMs: readonly number[];
  /** The most memory that an attempt may ask for after one that ran out of it; undefined: it is like any failure. */
  readonly mostMemoryMib: number | undefined;
}

/** How long to wait before the next attempt; undefined: there is none. */
export function retryDelayMs(failed: FailedAttempt, policy: RetryPolicy): number | undefined {
  const { attempt } = failed;
  const { delaysMs } = policy;
  if (!getsMoreMemory(failed, policy) && !isTriedAgain(failed, policy)) return undefined;
  return delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
}

/** As long as it can have more, however often that is. */
function getsMoreMemory({ code, ramMib }: FailedAttempt, { mostMemoryMib }: RetryPolicy): boolean {
  return code === "OUT_OF_MEMORY" && mostMemoryMib !== undefined && ramMib < mostMemoryMib;
}

function isTriedAgain({ attempt, code, isTemporary }: FailedAttempt, { retries }: RetryPolicy): boolean {
  const passes = isTemporary || INFRASTRUCTURE.has(code);
  if (!passes && !ON_REQUEST.has(code)) return false;
  return attempt <= (retries ?? (passes ? TEMPORARY_RETRIES : 0));
}
