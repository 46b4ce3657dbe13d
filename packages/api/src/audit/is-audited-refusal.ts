/** Refusals that are always recorded: unauthenticated, forbidden, misdirected and rate-limited. */
const AUDITED: ReadonlySet<number> = new Set([401, 403, 421, 429]);

/** Whether a refused request that would have changed nothing is recorded too. */
export function isAuditedRefusal(status: number): boolean {
  return AUDITED.has(status);
}
