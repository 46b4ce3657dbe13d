import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ROLES } from "@weft/shared/records/role.ts";
import type { Identity } from "../http/identity.ts";

/**
 * The session of a signed-in browser: its identity and expiry, signed with a key derived from the access token. The
 * server stores nothing for it, so it survives a restart; a new access token ends every session.
 */
export interface SessionKey {
  readonly token: string;
}

/** A session, which always expires. */
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

/** The session, if it is valid at `nowMs`; otherwise undefined. */
export function readSession(value: string, nowMs: number, key: SessionKey): Session | undefined {
  const [text = "", signature = ""] = value.split(".", 2);
  if (!equalSecrets(signature, signatureOf(text, key))) return undefined;
  // The signature proves that the function above wrote it, perhaps in another version.
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

/** Compares two strings in constant time. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(hash("sha256", left, "buffer"), hash("sha256", right, "buffer"));
}
