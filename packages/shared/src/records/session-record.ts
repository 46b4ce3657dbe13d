import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { timeSchema } from "./primitives.ts";
import { ROLES } from "./role.ts";

export const AUTH_MODES = ["none", "token", "oidc"] as const;

/** Maximum length of a token; tokens of identity providers contain their claims. */
export const LONGEST_TOKEN = 8192;

/** The caller, as far as the server knows them. */
export const sessionSchema = namedObject("Session", {
  auth: z
    .enum(AUTH_MODES)
    .describe("`none`: no login; `oidc`: accepts tokens of an identity provider and of this server"),
  principal: z.string().nullable().describe("Owner of the caller's runs; null: not signed in"),
  role: z
    .enum(ROLES)
    .nullable()
    .describe(
      "`viewer` reads, `runner` also starts runs and aborts their own, `author` also writes and publishes tools and networks, `admin` does everything",
    ),
  workbench: z.boolean().describe("Whether this server has the workbench: drafts and publishing"),
  expires_at: timeSchema.nullable().describe("When the session or the token expires"),
});
export type Session = z.infer<typeof sessionSchema>;

/** Proof that a user may sign in. */
export const createSessionSchema = z
  .union([
    z.strictObject({ code: z.string().min(1).max(200).describe("From a sign-in link: `#login=…`") }),
    z.strictObject({
      token: z.string().min(1).max(LONGEST_TOKEN).describe("Token of this server or its identity provider"),
    }),
  ])
  .meta({ id: "CreateSession" });

export const ticketSchema = namedObject("Ticket", { ticket: z.string(), expires_at: timeSchema });
