const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1000, 60_000, 3_600_000];

/** Retries end this long after a message was requested. */
export const RETRIED_FOR_MS = 24 * HOUR_MS;

/** Delays after the first, second, … failed attempt; the last one repeats. */
export const DELIVERY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];

export interface Attempted {
  /** The number of attempts, including the one that just failed. */
  readonly attempts: number;
  readonly requestedMs: number;
  readonly nowMs: number;
}

/** When to try again; null: a day has passed. */
export function nextAttemptMs(
  { attempts, requestedMs, nowMs }: Attempted,
  delaysMs: readonly number[] = DELIVERY_DELAYS_MS,
): number | null {
  const delayMs = delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? HOUR_MS;
  const nextMs = nowMs + delayMs;
  return nextMs > requestedMs + RETRIED_FOR_MS ? null : nextMs;
}
