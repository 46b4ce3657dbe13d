import { z } from "zod";
import { pageShape, timeSchema } from "./primitives.ts";
import { ROLES } from "./role.ts";

/**
 * One line of the audit log: who did what, when, from where, and with which outcome. Contains no tokens and no bodies.
 */
export const auditEntrySchema = z
  .object({
    seq: z.int().min(1).meta({ description: "Grows by one, without gaps" }),
    time: timeSchema,
    principal: z.string().meta({ description: "`anonymous`: nobody had signed in; `server`: Weft itself" }),
    role: z.enum(ROLES).nullable(),
    client: z.string().meta({ description: "Address of the client; empty for what Weft itself did" }),
    action: z.string().meta({
      description: "The operationId of a request; else `request`, `upgrade`, or what Weft itself did",
      examples: ["createRun", "abortRun", "signIn", "server.started", "token.removed"],
    }),
    method: z.string(),
    path: z.string().meta({ description: "Without its query, at most 256 characters" }),
    status: z.int().nullable().meta({ description: "HTTP status of the response; null if there was no request" }),
    code: z.string().nullable().meta({ description: "Code of the problem, if the request was refused" }),
    target: z.string().nullable().meta({ description: "What was made, or a few words on what Weft itself did" }),
    request_id: z.string().nullable(),
    count: z.int().min(1).meta({
      description: "Refused requests of one kind within a minute: the first has an entry, all later ones share another",
    }),
    prev: z.string().meta({ description: "`hash` of the entry before; empty for the first" }),
    hash: z.string().meta({ description: "SHA-256 (base64url) of this entry as JSON without `hash`" }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListSchema = z
  .object({
    entries: z.array(auditEntrySchema),
    run_names: z.record(z.string(), z.string()).meta({
      description: "The present names of the runs in `path` and `target` of the entries, by ID",
      examples: [{ "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f": "Imaging cohort, 6 images, 23 Nov 06:05" }],
    }),
    ...pageShape,
  })
  .meta({ id: "AuditList" });
