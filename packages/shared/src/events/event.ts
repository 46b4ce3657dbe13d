import { z } from "zod";
import { bytesSchema } from "../records/primitives.ts";
import { AUTOMATION_EVENTS } from "./automation-events.ts";
import { digestSchema, serverEvent } from "./event-parts.ts";
import type { Immutable } from "../records/immutable.ts";
import { JOB_EVENTS } from "./job-events.ts";
import { NOTIFICATION_EVENTS } from "./notification-events.ts";
import { RUN_EVENTS } from "./run-events.ts";
import { queryIdSchema, saveQuerySchema } from "../records/dataset-record.ts";
import { draftOfRunSchema } from "../records/run-record.ts";
import { testResultSchema } from "../records/test-record.ts";

const declaredEvents = z
  .discriminatedUnion("type", [
    ...RUN_EVENTS,
    ...JOB_EVENTS,
    ...NOTIFICATION_EVENTS,
    ...AUTOMATION_EVENTS,
    // The log refuses this event unless the revision is the next one and the name is free in the network.
    serverEvent("query.saved", { query_id: queryIdSchema, revision: z.int().min(1), ...saveQuerySchema.shape }),
    serverEvent("query.removed", { query_id: queryIdSchema }),
    // The log refuses this event while an open run uses the upload.
    serverEvent("upload.pruned", { upload_id: z.string(), bytes: bytesSchema }),
    // A test whose inputs were refused, so that no run began.
    serverEvent("test.refused", {
      kind: z.enum(["network", "tool"]),
      process_id: z.string().describe("ID of the network or tool"),
      process_version: z.string().nullable(),
      process_digest: z.string(),
      test: z
        .object({ name: z.string(), text: digestSchema, uri: z.string().describe("URI of its file") })
        .describe("The test"),
      draft: draftOfRunSchema.optional().describe("The draft that was tested; absent: a version"),
      result: testResultSchema,
    }),
    serverEvent("catalog.changed", { networks: z.int().min(0), tools: z.int().min(0) }),
    serverEvent("server.started", { version: z.string(), pid: z.int() }),
    serverEvent("server.stopping", { mode: z.string() }),
  ])
  .meta({ id: "Event" });

/** An event that does not concern a job has none of the fields that name a job. */
type WithPlace<Declared> = Declared extends { readonly job_id: string }
  ? Declared
  : Declared & { readonly job_id?: undefined; readonly step?: undefined; readonly sample_id?: undefined };

/**
 * Every event of the log: one fact, appended and never changed. The engine's types, the API documents, the clients, the
 * schema of crates and the web app derive from this declaration. A log is read without a check and keeps fields that
 * are not declared here; fields that old servers did not write are optional.
 */
export type WeftEvent = WithPlace<Immutable<z.infer<typeof declaredEvents>>>;

/** The schema of WeftEvent. The cast adds a fact that zod's types cannot express: nobody changes an event. */
export const eventSchema = declaredEvents as z.ZodType<WeftEvent>;

export type EventType = WeftEvent["type"];
export type EventOf<Type extends EventType> = Extract<WeftEvent, { readonly type: Type }>;
export type EventData<Type extends EventType> = EventOf<Type>["data"];
