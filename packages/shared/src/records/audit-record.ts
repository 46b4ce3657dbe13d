import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { pageShape, timeSchema } from "./primitives.ts";
import { ROLES } from "./role.ts";

/**
 * One line of the audit log: who did what, when, from where, and with which outcome. Contains no tokens and no bodies.
 */
export const auditEntrySchema = namedObject("AuditEntry", {
  seq: z.int().min(1).describe("Grows by one, without gaps"),
  time: timeSchema,
  principal: z.string().describe("`anonymous`: not signed in; `server`: Weft itself"),
  role: z.enum(ROLES).nullable(),
  client: z.string().describe("Address of the client; empty if Weft itself acted"),
  action: z.string().meta({
    description: "`operationId` of the request, `request`, `upgrade`, or an action of Weft itself",
    examples: ["createRun", "abortRun", "signIn", "server.started", "token.removed"],
  }),
  method: z.string(),
  path: z.string().describe("Without query, at most 256 characters"),
  status: z.int().nullable().describe("HTTP status of the response; null if there was no request"),
  code: z.string().nullable().describe("Problem code, if Weft refused the request"),
  target: z.string().nullable().describe("The created object, or the action of Weft itself"),
  request_id: z.string().nullable(),
  count: z
    .int()
    .min(1)
    .describe("Number of requests: equal refusals within a minute after the first one share an entry"),
  prev: z.string().describe("Previous entry's `hash`; empty for the first"),
  hash: z.string().describe("SHA-256 (base64url) of this entry as JSON without `hash`"),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListSchema = namedObject("AuditList", {
  entries: z.array(auditEntrySchema),
  run_names: z.record(z.string(), z.string()).meta({
    description: "Current names of the runs in `path` and `target`, by ID",
    examples: [{ "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f": "Imaging cohort, 6 images, 23 Nov 06:05" }],
  }),
  ...pageShape,
});
