import { z } from "zod";
import { timeSchema } from "./primitives.ts";
import { ROLES } from "./role.ts";

export const AUTH_MODES = ["none", "token", "oidc"] as const;

/** Maximum length of a token; tokens of identity providers contain their claims. */
export const LONGEST_TOKEN = 8192;

/** The caller, as far as the server knows them. */
export const sessionSchema = z
  .object({
    auth: z.enum(AUTH_MODES).meta({
      description: "`none`: no login; `oidc`: accepts tokens of an identity provider and of this server",
    }),
    principal: z.string().nullable().meta({ description: "Owner of the caller's runs; null: not signed in" }),
    role: z.enum(ROLES).nullable().meta({
      description:
        "`viewer` reads, `runner` also starts runs and aborts their own, `author` also writes and publishes tools and networks, `admin` does everything",
    }),
    workbench: z.boolean().meta({ description: "Whether this server has the workbench: drafts and publishing" }),
    expires_at: timeSchema.nullable().meta({ description: "When the session or the token expires" }),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof sessionSchema>;

/** Proof that a user may sign in. */
export const createSessionSchema = z
  .union([
    z.strictObject({ code: z.string().min(1).max(200).meta({ description: "From a sign-in link: `#login=…`" }) }),
    z.strictObject({
      token: z
        .string()
        .min(1)
        .max(LONGEST_TOKEN)
        .meta({ description: "Token of this server or its identity provider" }),
    }),
  ])
  .meta({ id: "CreateSession" });

export const ticketSchema = z.object({ ticket: z.string(), expires_at: timeSchema }).meta({ id: "Ticket" });
