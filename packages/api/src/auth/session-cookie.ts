import { createHmac, hash, timingSafeEqual } from "node:crypto";

/**
 * What a signed-in browser holds: until when it counts, signed with a key that comes from the access token. Nothing is
 * kept for it, so it outlives a restart; a new access token ends every session.
 */
export interface SessionKey {
  readonly token: string;
}

/** `endMs` is wall-clock time. */
export function writeSession(endMs: number, key: SessionKey): string {
  const text = String(endMs);
  return `${text}.${signatureOf(text, key)}`;
}

/** The end of a session that is valid at `nowMs`; undefined for everything else. */
export function readSession(value: string, nowMs: number, key: SessionKey): number | undefined {
  const [text = "", signature = ""] = value.split(".", 2);
  if (!/^\d{1,15}$/.test(text) || !equalSecrets(signature, signatureOf(text, key))) return undefined;
  return nowMs < Number(text) ? Number(text) : undefined;
}

function signatureOf(text: string, { token }: SessionKey): string {
  return createHmac("sha256", token).update(`weft session ${text}`).digest("base64url");
}

/** Takes the same time wherever the two differ. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(hash("sha256", left, "buffer"), hash("sha256", right, "buffer"));
}
