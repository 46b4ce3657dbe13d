import { z } from "zod";
import { eventSchema } from "@weft/shared/events/event.ts";
import { clientFrameSchema, serverFrameSchema } from "@weft/shared/events/event-record.ts";
import { describeFields } from "../openapi/field-descriptions.ts";

export interface AsyncApiOptions {
  /** Address of the server, without a trailing slash. */
  readonly base: string;
  readonly version: string;
}

type Json = Readonly<Record<string, unknown>>;

const SCHEMA_PLACE = "#/components/schemas/";
const FRAMES = [
  ...serverFrameSchema.options.map((schema) => ({ side: "server", schema }) as const),
  ...clientFrameSchema.options.map((schema) => ({ side: "client", schema }) as const),
].map(({ side, schema }) => {
  const op = schema.shape.op.value;
  return { side, op, schema, name: `${side}${op.charAt(0).toUpperCase()}${op.slice(1)}` };
});

/** Purpose of each frame; a frame without a summary causes a compile error. */
const SUMMARIES: Readonly<Record<`server-${ServerOp}` | `client-${ClientOp}`, string>> = {
  "server-hello": "Greeting with the server's version and the number of the last event",
  "server-events": "One or more events in order of `seq`; events within 50 ms share a frame",
  "server-reset": "The requested number belongs to another log: fetch all data again and subscribe after `last_seq`",
  "server-pong": "Response to `ping`",
  "server-error": "The frame is invalid or the run does not exist; the socket stays open",
  "client-subscribe":
    "Subscribe to all events, or to those of one run, after the number `since`; replaces the previous subscription",
  "client-unsubscribe": "Unsubscribe",
  "client-ping": "Request the number of the last event",
};
type ServerOp = z.infer<typeof serverFrameSchema>["op"];
type ClientOp = z.infer<typeof clientFrameSchema>["op"];

/** The AsyncAPI 3.0 document of the live events: derived from the schemas that check the frames. */
export function createAsyncApiDocument({ base, version }: AsyncApiOptions): Json {
  return describeFields({
    asyncapi: "3.0.0",
    info: {
      title: "Weft events",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    defaultContentType: "application/json",
    servers: describeServers(base),
    channels: CHANNELS,
    operations: OPERATIONS,
    components: { schemas: describeSchemas(), messages: MESSAGES, securitySchemes: SECURITY_SCHEMES },
  });
}

const DESCRIPTION = [
  "All events of the server, by WebSocket or as Server-Sent Events. `seq` increases by one with each event of the server; to resume after a disconnection, subscribe after the last number that you received.",
  "A socket that sends no frame within half a second of `serverHello` receives all events after the greeting.",
  "Every 30 s the server pings; it disconnects a peer that does not answer before the next ping. A stream contains the comment `: heartbeat` every 15 s.",
  "The server closes a connection with more than 1 MiB of unread data (sockets: code 1013); the client can resume by number. Code 1001: server shutdown; 1008: expired or revoked token; 1009: frame larger than 64 KiB.",
].join("\n\n");

function describeServers(base: string): Json {
  const { protocol, host, pathname } = new URL(base);
  const isSecure = protocol === "https:";
  const place = { host, ...(pathname === "/" ? {} : { pathname }), security: SECURITY };
  return {
    socket: { ...place, protocol: isSecure ? "wss" : "ws", description: "Requires the Origin of this server" },
    stream: { ...place, protocol: isSecure ? "https" : "http", description: "`Accept: text/event-stream`" },
  };
}

const SECURITY = [{ $ref: "#/components/securitySchemes/bearer" }, { $ref: "#/components/securitySchemes/session" }];

const SECURITY_SCHEMES = {
  bearer: { type: "http", scheme: "bearer", description: "If the server has a login" },
  session: {
    type: "httpApiKey",
    in: "cookie",
    name: "weft_PORT",
    description: "Session cookie of a signed-in browser",
  },
};

function refs(names: readonly string[], place: string): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: place + name }]));
}

const EVENT_MESSAGE = "event";
const framesOf = (side: "server" | "client") => FRAMES.filter((frame) => frame.side === side).map(({ name }) => name);

const LAST_SEEN = "`Last-Event-ID`, or `?since=`: the number of the last received event";

const CHANNELS = {
  socket: {
    address: "/api/events",
    title: "The WebSocket",
    servers: [{ $ref: "#/servers/socket" }],
    messages: refs(
      FRAMES.map(({ name }) => name),
      "#/components/messages/",
    ),
    bindings: {
      ws: {
        method: "GET",
        query: {
          type: "object",
          properties: {
            ticket: { type: "string", description: "From POST /api/events/tickets; valid once, for 30 s" },
          },
        },
      },
    },
  },
  stream: {
    address: "/api/events",
    title: "All events as a stream",
    description: `${LAST_SEEN}; without it, the stream begins now.`,
    servers: [{ $ref: "#/servers/stream" }],
    messages: refs([EVENT_MESSAGE], "#/components/messages/"),
  },
  runStream: {
    address: "/api/runs/{run_id}/events",
    title: "The events of a run as a stream",
    description: `${LAST_SEEN}; without it, the stream begins with the first event of the run.`,
    parameters: { run_id: { description: "ID of the run" } },
    servers: [{ $ref: "#/servers/stream" }],
    messages: refs([EVENT_MESSAGE], "#/components/messages/"),
  },
};

function operation(action: "send" | "receive", channel: keyof typeof CHANNELS, names: readonly string[]): Json {
  return {
    action,
    channel: { $ref: `#/channels/${channel}` },
    messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  };
}

/** The operations from the server's perspective: it sends the messages that clients receive. */
const OPERATIONS = {
  sendFrames: operation("send", "socket", framesOf("server")),
  receiveFrames: operation("receive", "socket", framesOf("client")),
  streamEvents: operation("send", "stream", [EVENT_MESSAGE]),
  streamRunEvents: operation("send", "runStream", [EVENT_MESSAGE]),
};

const MESSAGES = Object.fromEntries([
  ...FRAMES.map(({ side, op, name }) => [
    name,
    {
      name: op,
      // The union of ops is the key of the table by construction.
      summary: SUMMARIES[`${side}-${op}` as keyof typeof SUMMARIES],
      payload: { $ref: SCHEMA_PLACE + name },
    },
  ]),
  [
    EVENT_MESSAGE,
    {
      name: "event",
      summary: "One event: `id` is its `seq`, `data` its JSON in one line",
      payload: { $ref: `${SCHEMA_PLACE}Event` },
    },
  ],
]);

function describeSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  registry.add(eventSchema, { id: "Event" });
  for (const { name, schema } of FRAMES) registry.add(schema, { id: name });
  // With `io: "input"`, objects remain open: readers ignore unknown fields.
  const { schemas } = z.toJSONSchema(registry, { target: "draft-7", io: "input", uri: (id) => SCHEMA_PLACE + id });
  const { [SHARED]: shared, ...named } = schemas;
  return withoutIds(flattened({ ...named, ...(shared?.definitions as Json | undefined) }));
}

/** The key under which zod puts shared schemas. */
const SHARED = "__shared";

function flattened(schemas: Json): Json {
  const text = JSON.stringify(schemas).replaceAll(`${SCHEMA_PLACE}${SHARED}#/definitions/`, SCHEMA_PLACE);
  return JSON.parse(text) as Json; // the text of an object
}

function withoutIds(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, $id: _place, id: _id, ...rest } = schema as Json; // toJSONSchema makes objects
      return [name, rest];
    }),
  );
}
