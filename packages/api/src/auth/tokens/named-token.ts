import { hash, randomBytes } from "node:crypto";
import { z } from "zod";
import { timeSchema } from "@weft/shared/records/primitives.ts";
import { ROLES } from "@weft/shared/records/role.ts";

/** Prefix of every named token, by which scanners for leaked secrets recognize it. */
export const NAMED_TOKEN_PREFIX = "weft_";

/** A token's name is the owner of the runs started with it. */
export const tokenNameSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9._@-]{0,62}[a-z0-9])?$/)
  .refine((name) => !RESERVED_NAMES.has(name));

/** Principals that Weft itself writes into the log. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(["local", "engine", "anonymous", "server"]);

/** The stored record of a token: never the token itself. Its 32 random bytes need no slow hash. */
export const namedTokenSchema = z.strictObject({
  name: tokenNameSchema,
  role: z.enum(ROLES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created_at: timeSchema,
  /** The expiry time; null if the token does not expire. */
  expires_at: timeSchema.nullable(),
});
export type NamedToken = z.infer<typeof namedTokenSchema>;

export function newTokenText(): string {
  return NAMED_TOKEN_PREFIX + randomBytes(32).toString("base64url");
}

export function tokenHash(text: string): string {
  return hash("sha256", text, "hex");
}

/** ID of a token, by which the log distinguishes two tokens with the same name. */
export function credentialOf(sha256: string): string {
  return sha256.slice(0, 16);
}

/** When a token expires (wall-clock milliseconds); undefined: never. */
export function endOf({ expires_at: expiresAt }: NamedToken): number | undefined {
  return expiresAt === null ? undefined : Date.parse(expiresAt);
}
