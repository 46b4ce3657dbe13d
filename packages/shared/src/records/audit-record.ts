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
    principal: z.string().meta({ description: "`anonymous`: not signed in; `server`: Weft itself" }),
    role: z.enum(ROLES).nullable(),
    client: z.string().meta({ description: "Address of the client; empty if Weft itself acted" }),
    action: z.string().meta({
      description: "`operationId` of the request, `request`, `upgrade`, or an action of Weft itself",
      examples: ["createRun", "abortRun", "signIn", "server.started", "token.removed"],
    }),
    method: z.string(),
    path: z.string().meta({ description: "Without query, at most 256 characters" }),
    status: z.int().nullable().meta({ description: "HTTP status of the response; null if there was no request" }),
    code: z.string().nullable().meta({ description: "Problem code, if Weft refused the request" }),
    target: z.string().nullable().meta({ description: "The created object, or the action of Weft itself" }),
    request_id: z.string().nullable(),
    count: z.int().min(1).meta({
      description: "Number of requests: equal refusals within a minute after the first one share an entry",
    }),
    prev: z.string().meta({ description: "Previous entry's `hash`; empty for the first" }),
    hash: z.string().meta({ description: "SHA-256 (base64url) of this entry as JSON without `hash`" }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListSchema = z
  .object({
    entries: z.array(auditEntrySchema),
    run_names: z.record(z.string(), z.string()).meta({
      description: "Current names of the runs in `path` and `target`, by ID",
      examples: [{ "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f": "Imaging cohort, 6 images, 23 Nov 06:05" }],
    }),
    ...pageShape,
  })
  .meta({ id: "AuditList" });
