/** Refusals that are always recorded: unauthenticated, forbidden, misdirected and rate-limited. */
const AUDITED: ReadonlySet<number> = new Set([401, 403, 421, 429]);

/** True if a refusal is recorded even for a request without side effects. */
export function isAuditedRefusal(status: number): boolean {
  return AUDITED.has(status);
}
