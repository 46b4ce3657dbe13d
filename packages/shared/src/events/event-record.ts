import { z } from "zod";
import { namedObject } from "../records/named-object.ts";
import { eventSchema } from "./event.ts";

export const eventListSchema = namedObject("EventList", {
  events: z.array(eventSchema),
  last_seq: z.int().min(0),
  next_page_token: z.string(),
});

/** The messages of a client over the WebSocket at /api/events. */
export const clientFrameSchema = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("subscribe"), run_id: z.string().optional(), since: z.int().min(0).optional() }),
  z.strictObject({ op: z.literal("unsubscribe") }),
  z.strictObject({ op: z.literal("ping") }),
]);
export type ClientFrame = z.infer<typeof clientFrameSchema>;

/**
 * The messages of the server over the WebSocket. `events` carries one or more events in order of `seq`; `reset` says
 * that the client fell too far behind and must re-read and subscribe again from `last_seq`.
 */
export const serverFrameSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("hello"),
    server: z.string(),
    last_seq: z.int().min(0),
    quiet_ms: z
      .int()
      .min(0)
      .optional()
      .describe("Milliseconds since the last event: data that the client fetched within this time is up to date"),
  }),
  z.object({ op: z.literal("events"), events: z.array(eventSchema) }),
  z.object({ op: z.literal("reset"), last_seq: z.int().min(0) }),
  z.object({ op: z.literal("pong"), last_seq: z.int().min(0) }),
  z.object({ op: z.literal("error"), detail: z.string() }),
]);
export type ServerFrame = z.infer<typeof serverFrameSchema>;
