import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ROLES } from "@weft/shared/records/role.ts";
import type { Identity } from "../http/identity.ts";

/**
 * What a signed-in browser holds: who it is and until when that counts, signed with a key that comes from the access
 * token. Nothing is kept for it, so it outlives a restart; a new access token ends every session.
 */
export interface SessionKey {
  readonly token: string;
}

/** A session always ends. */
export type Session = Identity & { readonly endMs: number };

const sessionSchema = z.strictObject({
  principal: z.string(),
  role: z.enum(ROLES),
  endMs: z.int(),
  tokenHash: z.string().optional(),
});

/** `endMs` is wall-clock time. */
export function writeSession(session: Session, key: SessionKey): string {
  const text = Buffer.from(JSON.stringify(session)).toString("base64url");
  return `${text}.${signatureOf(text, key)}`;
}

/** A session that is valid at `nowMs`; undefined for everything else. */
export function readSession(value: string, nowMs: number, key: SessionKey): Session | undefined {
  const [text = "", signature = ""] = value.split(".", 2);
  if (!equalSecrets(signature, signatureOf(text, key))) return undefined;
  // Signed, so it was written above, if perhaps by another version.
  const { data } = sessionSchema.safeParse(parseOrUndefined(Buffer.from(text, "base64url").toString()));
  if (data === undefined || nowMs >= data.endMs) return undefined;
  const { tokenHash, ...session } = data;
  return tokenHash === undefined ? session : { ...session, tokenHash };
}

function signatureOf(text: string, { token }: SessionKey): string {
  return createHmac("sha256", token).update(`weft session ${text}`).digest("base64url");
}

/** The signature of an earlier form of cookies covers a bare number. */
function parseOrUndefined(text: string): unknown {
  return text.startsWith("{") ? JSON.parse(text) : undefined;
}

/** Takes the same time wherever the two differ. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(hash("sha256", left, "buffer"), hash("sha256", right, "buffer"));
}
