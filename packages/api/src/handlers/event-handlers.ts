import { Refusal } from "@weft/shared/records/refusal.ts";
import { isLetIn } from "../auth/is-let-in.ts";
import { openEventStream } from "../events/event-stream.ts";
import type { EventStreamOptions } from "../events/event-stream.ts";
import type { Context } from "../http/context.ts";
import type { ContentAnswer, Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

const STREAM_MEDIA_TYPE = "text/event-stream";

/**
 * Events as JSON pages, or as a stream if the client accepts that. Without a number to resume from, the stream of a run
 * begins with its first event, and the stream of all events begins now.
 */
export function createEventHandlers(parts: ServerParts): Handlers {
  const { events, runs } = parts.engine;
  return {
    "GET /api/runs/{run_id}/events": ({ caller, params, query, ctx }) => {
      const runId = params.run_id;
      // This refuses an unknown run before the stream has begun.
      runs.status(caller, runId);
      if (wantsStream(ctx))
        return streamAnswer(parts, ctx, { runId, caller, since: resumePoint(ctx) ?? query.since ?? 0 });
      return {
        status: 200,
        body: pageBody(
          events.page(caller, { runId, since: query.since, pageSize: query.page_size, pageToken: query.page_token }),
        ),
      };
    },
    "GET /api/events": ({ caller, query, ctx }) => {
      if (wantsStream(ctx)) {
        const since = resumePoint(ctx) ?? query.since ?? events.lastSeq;
        return streamAnswer(parts, ctx, { runId: undefined, caller, since });
      }
      return {
        status: 200,
        body: pageBody(
          events.page(caller, { since: query.since, pageSize: query.page_size, pageToken: query.page_token }),
        ),
      };
    },
  };
}

type EventPage = ReturnType<ServerParts["engine"]["events"]["page"]>;

function pageBody(page: EventPage): {
  events: EventPage["events"][number][];
  last_seq: number;
  next_page_token: string;
} {
  return { events: [...page.events], last_seq: page.last_seq, next_page_token: page.next_page_token };
}

function wantsStream(ctx: Context): boolean {
  ctx.vary("Accept");
  const accepted = ctx.accepts("application/json", STREAM_MEDIA_TYPE);
  if (accepted === false)
    throw new Refusal("not-acceptable", `Events are available as application/json or ${STREAM_MEDIA_TYPE}`);
  return accepted === STREAM_MEDIA_TYPE;
}

function resumePoint(ctx: Context): number | undefined {
  const text = ctx.get("Last-Event-ID");
  if (text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const detail = "Last-Event-ID must be the number of an event";
  throw new Refusal("invalid-parameters", detail, {
    errors: [{ parameter: "last-event-id", code: "invalid-format", detail }],
  });
}

function streamAnswer(
  parts: ServerParts,
  ctx: Context,
  streamOptions: Omit<EventStreamOptions, "isCurrent">,
): ContentAnswer {
  const isCurrent = () => isLetIn(parts.login, ctx);
  const content = ctx.method === "HEAD" ? null : openEventStream(parts, { ...streamOptions, isCurrent });
  // Reverse proxies (nginx) buffer answers by default.
  return { status: 200, mediaType: STREAM_MEDIA_TYPE, content, headers: { "X-Accel-Buffering": "no" } };
}
