const LONGEST_WAIT_S = 60;

/** Seconds that a client is willing to wait, from `Prefer: wait=30` (RFC 7240), at most 60; undefined if it does not say. */
export function preferredWait(prefer: string): number | undefined {
  const wait = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(prefer)?.[1];
  return wait === undefined ? undefined : Math.min(Number(wait), LONGEST_WAIT_S);
}
