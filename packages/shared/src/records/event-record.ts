import { z } from "zod";
import { timeSchema } from "./primitives.ts";

/** Types of events; the part before the dot says what the event is about. */
export const EVENT_TYPES = [
  "run.created",
  "run.fetching",
  "run.fetched",
  "run.started",
  "run.reattached",
  "run.steps",
  "run.inputs",
  "run.paused",
  "run.resumed",
  "run.canceling",
  "run.ended",
  "run.compared",
  "run.measured",
  "run.pruning",
  "run.pruned",
  "run.imported",
  "job.queued",
  "job.image",
  "job.fetching",
  "job.started",
  "job.running",
  "job.exited",
  "job.retrying",
  "job.ended",
  "job.late",
  "job.killed",
  "upload.pruned",
  "catalog.changed",
  "server.started",
  "server.stopping",
] as const;
export const eventTypeSchema = z.enum(EVENT_TYPES).meta({ id: "EventType" });
export type EventType = z.infer<typeof eventTypeSchema>;

/** One fact, appended to the log and never changed. `seq` grows by one over the whole server. */
export const eventSchema = z
  .object({
    seq: z.int().min(1),
    type: eventTypeSchema,
    time: timeSchema,
    run_id: z.string().nullable(),
    job_id: z.string().optional(),
    step: z.string().optional(),
    sample_id: z.string().optional(),
    actor: z.string(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Event" });
export type WeftEvent = z.infer<typeof eventSchema>;

export const eventListSchema = z
  .object({ events: z.array(eventSchema), last_seq: z.int().min(0), next_page_token: z.string() })
  .meta({ id: "EventList" });

/** What a client may send over the WebSocket at /api/events. */
export const clientFrameSchema = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("subscribe"), run_id: z.string().optional(), since: z.int().min(0).optional() }),
  z.strictObject({ op: z.literal("unsubscribe") }),
  z.strictObject({ op: z.literal("ping") }),
]);
export type ClientFrame = z.infer<typeof clientFrameSchema>;

/**
 * What the server sends over the WebSocket. `events` carries one or more events in order of `seq`;
 * `reset` says that the client fell too far behind and must re-read and subscribe again from `last_seq`.
 */
export const serverFrameSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("hello"), server: z.string(), last_seq: z.int().min(0) }),
  z.object({ op: z.literal("events"), events: z.array(eventSchema) }),
  z.object({ op: z.literal("reset"), last_seq: z.int().min(0) }),
  z.object({ op: z.literal("pong"), last_seq: z.int().min(0) }),
  z.object({ op: z.literal("error"), detail: z.string() }),
]);
export type ServerFrame = z.infer<typeof serverFrameSchema>;
