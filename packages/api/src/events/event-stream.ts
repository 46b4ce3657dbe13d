import { PassThrough, type Readable } from "node:stream";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { Engine } from "@weft/engine/port/engine.ts";
import type { Log } from "@weft/engine/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { EventBatcher, WrittenEvent } from "./event-batcher.ts";
import { EventSubscription } from "./event-subscription.ts";

export interface EventStreamOptions {
  /** The run; undefined for events of all runs and events without a run. */
  readonly runId: string | undefined;
  readonly caller: Caller;
  /** The last number that the client has. */
  readonly since: number;
  /** Returns whether the client is still authorized. If not, the stream ends at the next heartbeat. */
  readonly isCurrent: () => boolean;
}

const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;

export interface EventStreamParts {
  readonly engine: Pick<Engine, "events">;
  readonly batcher: EventBatcher;
  readonly metrics: Metrics;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
  readonly log: Log;
}

/**
 * Server-Sent Events that continue until the client disconnects or the server closes. `id` is the event's `seq`, so
 * that a browser resumes by itself; a comment every 15 s keeps proxies from closing a quiet stream.
 */
export function openEventStream(
  { engine, batcher, closing, log, metrics }: EventStreamParts,
  { isCurrent, ...request }: EventStreamOptions,
): Readable {
  const stream = new PassThrough();
  metrics.streams += 1;
  stream.write(`retry: ${RECONNECT_MS}\n\n`);
  const heartbeat = setInterval(() => (isCurrent() ? stream.write(": heartbeat\n\n") : leave()), HEARTBEAT_MS).unref();
  const end = () => {
    clearInterval(heartbeat);
    stream.end();
  };
  const sink = {
    queuedBytes: () => stream.writableLength + stream.readableLength,
    send: (events: readonly WrittenEvent[], sent: () => void) =>
      void stream.write(events.map(streamText).join(""), sent),
    overflow: end,
    fail: (error: unknown) => {
      log("error", "Events could not be read", { error: String(error) });
      end();
    },
  };
  const subscription = new EventSubscription({ events: engine.events, batcher, ...request, sink });
  const leave = () => {
    subscription.stop();
    end();
  };
  closing.addEventListener("abort", leave);
  stream.once("close", () => {
    leave();
    metrics.streams -= 1;
    closing.removeEventListener("abort", leave);
  });
  return stream;
}

function streamText({ event, json }: WrittenEvent): string {
  return `id: ${event.seq}\ndata: ${json}\n\n`;
}
