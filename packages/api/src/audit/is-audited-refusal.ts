/** Who is not known, may not, came to the wrong name, or came too often: recorded whatever was asked. */
const AUDITED: ReadonlySet<number> = new Set([401, 403, 421, 429]);

/** Whether a refused request that would have changed nothing is recorded too. */
export function isAuditedRefusal(status: number): boolean {
  return AUDITED.has(status);
}
