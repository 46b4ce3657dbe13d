import { z } from "zod";
import { auditListSchema } from "../records/audit-record.ts";
import { RELEASE } from "../records/contract-change.ts";
import { eventListSchema } from "../events/event-record.ts";
import { serverInfoSchema } from "../records/lineage-record.ts";
import { pageShape, timeSchema } from "../records/primitives.ts";
import { fileEntrySchema, uploadedFileSchema } from "../records/process-record.ts";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { numberQuery, pageQueryShape, textQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

export const serverRoutes = routesOf("server", {
  "POST /api/files": {
    operationId: "uploadFile",
    tag: "files",
    access: "runner",
    summary: "Upload one file into the state folder",
    description:
      "The body is the content; `?name=` sets its basename for jobs. Use `location` of the response in inputs.",
    query: z.object({ name: z.string().min(1).max(255).describe("CWL `basename` of the file") }),
    bodyMediaType: "application/octet-stream",
    answers: { 201: { description: "Stored, with checksums", schema: uploadedFileSchema, headers: ["Location"] } },
    problems: ["unsupported-media-type", "body-too-large", ...STORAGE_PROBLEMS],
  },
  "GET /api/files": {
    operationId: "browseFiles",
    tag: "files",
    access: "viewer",
    summary: "Browse the data roots",
    description: "Without `location`, lists the data roots.",
    query: z.object({
      ...pageQueryShape,
      location: z.string().max(4096).optional(),
      q: textQuery(255, "Beginning of the name; ignores case"),
    }),
    answers: {
      200: {
        description: "Entries, folders first, each by name",
        schema: z.object({ location: z.string(), entries: z.array(fileEntrySchema), ...pageShape }),
      },
    },
    problems: ["file-not-found"],
  },
  "GET /api/events": {
    operationId: "listEvents",
    tag: "events",
    access: "viewer",
    summary: "List all events, oldest first, or open a WebSocket",
    query: z.object({
      since: numberQuery(z.int().min(0)).optional(),
      ...pageQueryShape,
    }),
    answers: { 200: { description: "A page of events", schema: eventListSchema, mediaTypes: ["text/event-stream"] } },
  },
  "GET /api/server": {
    operationId: "getServerInfo",
    access: "viewer",
    summary: "Get version, machine, queue and counters",
    query: z.object({
      client_version: z
        .string()
        .regex(RELEASE, "must be a version, such as 0.1.0")
        .optional()
        .describe("Version of Weft that the client was written for; lists `changes` since then"),
    }),
    answers: { 200: { description: "Current state of the server", schema: serverInfoSchema } },
  },
  "GET /api/audit": {
    operationId: "listAudit",
    access: "admin",
    summary: "Read the audit log, newest first",
    description: "Records changes, sign-ins and refusals. A short or empty page can have more pages after it.",
    query: z.object({
      ...pageQueryShape,
      principal: z.string().max(256).optional(),
      action: z.string().max(64).optional(),
      refused: z.stringbool().optional().describe("Only refused requests, or only others"),
      since: timeSchema.optional().describe("At or after"),
      until: timeSchema.optional().describe("Before"),
    }),
    answers: { 200: { description: "A page of entries", schema: auditListSchema } },
  },
  "POST /shutdown": {
    operationId: "shutDown",
    access: "admin",
    summary: "Stop the server",
    description:
      "Accepted only from a page of this server (same origin). `drain` waits until runs finish, `detach` leaves their jobs running and the next start reattaches to them, `cancel` aborts them.",
    body: z.strictObject({ mode: z.enum(["drain", "detach", "cancel"]), confirm: z.literal("shutdown") }),
    answers: {
      202: { description: "The server is stopping", schema: z.object({ mode: z.string(), runs_open: z.int() }) },
    },
    problems: ["draining"],
  },
  "GET /metrics": {
    operationId: "getMetrics",
    access: "viewer",
    summary: "Get metrics for Prometheus",
    answers: { 200: { description: "Prometheus text format 0.0.4", mediaTypes: ["text/plain"] } },
  },
  "GET /healthz": {
    operationId: "getHealth",
    summary: "Check liveness",
    access: "open",
    answers: { 200: { description: "Alive", schema: z.object({ status: z.literal("ok") }) } },
  },
  "GET /readyz": {
    operationId: "getReadiness",
    summary: "Check readiness",
    access: "open",
    answers: { 200: { description: "Accepts runs", schema: z.object({ status: z.literal("ready") }) } },
    problems: ["draining", "storage-failed"],
  },
} as const satisfies RouteTable);
