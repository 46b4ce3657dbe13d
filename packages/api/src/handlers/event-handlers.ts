import { Refusal } from "@weft/shared/records/refusal.ts";
import { openEventStream, type EventStreamOptions } from "../events/event-stream.ts";
import type { Context } from "../http/context.ts";
import type { ContentAnswer, Handlers, RouteRequest } from "../http/route-handler.ts";
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
      return pageAnswer(parts, { caller, query, runId });
    },
    "GET /api/events": ({ caller, query, ctx }) => {
      if (wantsStream(ctx)) {
        const since = resumePoint(ctx) ?? query.since ?? events.lastSeq;
        return streamAnswer(parts, ctx, { runId: undefined, caller, since });
      }
      return pageAnswer(parts, { caller, query, runId: undefined });
    },
  };
}

function pageAnswer(
  { engine }: ServerParts,
  {
    caller,
    query: { since, page_size: pageSize, page_token: pageToken },
    runId,
  }: Pick<RouteRequest<"GET /api/events">, "caller" | "query"> & { readonly runId: string | undefined },
) {
  const { events, last_seq, next_page_token } = engine.events.page(caller, { runId, since, pageSize, pageToken });
  return { status: 200 as const, body: { events: [...events], last_seq, next_page_token } };
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
  const isCurrent = () => parts.login.isCurrent(ctx.state.identity);
  const content = ctx.method === "HEAD" ? null : openEventStream(parts, { ...streamOptions, isCurrent });
  // Reverse proxies (nginx) buffer answers by default.
  return { status: 200, mediaType: STREAM_MEDIA_TYPE, content, headers: { "X-Accel-Buffering": "no" } };
}
