import { hash, randomBytes } from "node:crypto";
import { z } from "zod";
import { timeSchema } from "@weft/shared/records/primitives.ts";
import { ROLES } from "@weft/shared/records/role.ts";

/** What every named token begins with, so that scanners of leaked secrets know it. */
export const NAMED_TOKEN_PREFIX = "weft_";

/** Names of tokens are the owners of runs. */
export const tokenNameSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9._@-]{0,62}[a-z0-9])?$/)
  .refine((name) => !RESERVED_NAMES.has(name));

/** Whom Weft itself writes into the log. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(["local", "engine", "anonymous", "server"]);

/** What is kept of a token: never the token itself. Its 32 random bytes need no slow hash. */
export const namedTokenSchema = z.strictObject({
  name: tokenNameSchema,
  role: z.enum(ROLES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created_at: timeSchema,
  /** null: it does not end by itself. */
  expires_at: timeSchema.nullable(),
});
export type NamedToken = z.infer<typeof namedTokenSchema>;

export function newTokenText(): string {
  return NAMED_TOKEN_PREFIX + randomBytes(32).toString("base64url");
}

export function tokenHash(text: string): string {
  return hash("sha256", text, "hex");
}

/** When a token ends (wall-clock milliseconds); undefined: not by itself. */
export function endOf({ expires_at: expiresAt }: NamedToken): number | undefined {
  return expiresAt === null ? undefined : Date.parse(expiresAt);
}
