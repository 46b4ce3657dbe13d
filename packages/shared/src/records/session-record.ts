import { z } from "zod";
import { timeSchema } from "./primitives.ts";

export const AUTH_MODES = ["none", "token"] as const;

/** Who asks, as far as the server can tell. */
export const sessionSchema = z
  .object({
    auth: z.enum(AUTH_MODES).meta({ description: "`none`: there is no login" }),
    principal: z.string().nullable().meta({ description: "Whom runs are recorded as; null: not signed in" }),
    expires_at: timeSchema.nullable().meta({ description: "Of a browser's session: when it ends" }),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof sessionSchema>;

/** What proves that somebody may sign in. */
export const createSessionSchema = z
  .union([
    z.strictObject({ code: z.string().min(1).max(200).meta({ description: "From a sign-in link: `#login=…`" }) }),
    z.strictObject({ token: z.string().min(1).max(200).meta({ description: "The access token" }) }),
  ])
  .meta({ id: "CreateSession" });
export type CreateSession = z.infer<typeof createSessionSchema>;

export const ticketSchema = z.object({ ticket: z.string(), expires_at: timeSchema }).meta({ id: "Ticket" });
