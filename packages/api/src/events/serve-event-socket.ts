import type { RawData, WebSocket } from "ws";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { Engine } from "@weft/engine/port/engine.ts";
import { type ClientFrame, type ServerFrame, clientFrameSchema } from "@weft/shared/events/event-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Log } from "@weft/engine/log.ts";
import type { EventBatcher, WrittenEvent } from "./event-batcher.ts";
import { EventSubscription } from "./event-subscription.ts";
import { CLOSE_CODES, SEND_QUEUE_BYTES, SUBSCRIBE_GRACE_MS } from "./socket-limits.ts";

export interface EventSocketParts {
  readonly engine: Pick<Engine, "events" | "runs">;
  readonly batcher: EventBatcher;
  readonly log: Log;
  /** Name and version for the `hello` frame. */
  readonly server: string;
}

/** Serves one client of the WebSocket at /api/events, with the events that this caller may see. */
export function serveEventSocket(socket: WebSocket, caller: Caller, parts: EventSocketParts): void {
  const session = new EventSession(socket, caller, parts);
  session.begin();
}

/**
 * Greets the client with `hello` and waits for its `subscribe`. If none arrives within half a second, the client gets
 * all events from the greeting on.
 */
class EventSession {
  readonly #socket: WebSocket;
  readonly #caller: Caller;
  readonly #parts: EventSocketParts;
  #grace: NodeJS.Timeout | undefined;
  #subscription: EventSubscription | undefined;

  constructor(socket: WebSocket, caller: Caller, parts: EventSocketParts) {
    this.#socket = socket;
    this.#caller = caller;
    this.#parts = parts;
  }

  begin(): void {
    const { engine, batcher, server, log } = this.#parts;
    this.#socket.on("message", (data, isBinary) => this.#onMessage(data, isBinary));
    this.#socket.on("ping", () => this.#dropIfBehind());
    this.#socket.on("close", () => this.#stop());
    // For frames that are too large, not UTF-8 or otherwise broken, ws itself closes the socket with the right code.
    this.#socket.on("error", (error) => log("debug", "A WebSocket failed", { error: error.message }));
    const since = engine.events.lastSeq;
    this.#sendFrame({ op: "hello", server, last_seq: since, quiet_ms: batcher.quietMs() });
    this.#grace = setTimeout(() => this.#subscribe(undefined, since), SUBSCRIBE_GRACE_MS).unref();
  }

  /** An exception in an event handler would end the process, so it becomes a response here. */
  #onMessage(data: RawData, isBinary: boolean): void {
    clearTimeout(this.#grace);
    try {
      const frame = parseClientFrame(data, isBinary);
      if (typeof frame === "string") this.#sendFrame({ op: "error", detail: frame });
      else this.#onFrame(frame);
    } catch (error) {
      if (error instanceof Refusal) this.#sendFrame({ op: "error", detail: error.message });
      else this.#fail(error);
    }
  }

  #onFrame(frame: ClientFrame): void {
    const { events, runs } = this.#parts.engine;
    switch (frame.op) {
      case "ping":
        this.#sendFrame({ op: "pong", last_seq: events.lastSeq });
        return;
      case "unsubscribe":
        this.#stop();
        return;
      case "subscribe":
        // This refuses an unknown run.
        if (frame.run_id !== undefined) runs.status(this.#caller, frame.run_id);
        this.#subscribe(frame.run_id, frame.since ?? events.lastSeq);
    }
  }

  /** Replaces the previous subscription. A number that this log has not reached belongs to another log: `reset`. */
  #subscribe(runId: string | undefined, since: number): void {
    this.#stop();
    const { events } = this.#parts.engine;
    const page = { since: since - 1, pageSize: 1 };
    if (since > events.lastSeq && events.page(this.#caller, page).events.length === 0) {
      this.#sendFrame({ op: "reset", last_seq: events.lastSeq });
      return;
    }
    const sink = {
      queuedBytes: () => this.#socket.bufferedAmount,
      send: (batch: readonly WrittenEvent[], sent: () => void) => this.#sendEvents(batch, sent),
      overflow: () => this.#drop(),
      fail: (error: unknown) => this.#fail(error),
    };
    const { batcher } = this.#parts;
    this.#subscription = new EventSubscription({ events, batcher, caller: this.#caller, runId, since, sink });
  }

  #stop(): void {
    clearTimeout(this.#grace);
    this.#subscription?.stop();
    this.#subscription = undefined;
  }

  #sendEvents(batch: readonly WrittenEvent[], sent: () => void): void {
    this.#socket.send(frameOf(batch), { binary: false }, (error) => {
      if (error === undefined || error === null) sent();
    });
  }

  #sendFrame(frame: ServerFrame): void {
    if (!this.#dropIfBehind()) this.#socket.send(JSON.stringify(frame));
  }

  /** Responses to a client that only sends and never reads would accumulate forever. */
  #dropIfBehind(): boolean {
    if (this.#socket.bufferedAmount <= SEND_QUEUE_BYTES) return false;
    this.#drop();
    return true;
  }

  #drop(): void {
    this.#stop();
    this.#socket.close(CLOSE_CODES.tryAgainLater, "too far behind; subscribe again from the last event");
  }

  #fail(error: unknown): void {
    this.#stop();
    this.#parts.log("error", "A WebSocket could not be served", { error: String(error) });
    this.#socket.close(CLOSE_CODES.internalError, "the server has a problem");
  }
}

/** Clients that watch the same events get the same bytes, which are assembled once. */
const frames = new WeakMap<readonly WrittenEvent[], Buffer>();

function frameOf(batch: readonly WrittenEvent[]): Buffer {
  const known = frames.get(batch);
  if (known !== undefined) return known;
  const made = Buffer.from(`{"op":"events","events":[${batch.map(({ json }) => json).join(",")}]}`);
  frames.set(batch, made);
  return made;
}

/** Reads a client's frame; a string says why it is invalid. */
function parseClientFrame(data: RawData, isBinary: boolean): ClientFrame | string {
  if (isBinary) return "Frames must be text";
  const value = parseJson(data);
  if (value === undefined) return "The frame is not JSON";
  const parsed = clientFrameSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "the frame" : issue.path.join(".");
  return `${place}: ${issue?.message ?? "not valid"}`;
}

function parseJson(data: RawData): unknown {
  try {
    // ws passes a text frame as one Buffer unless the socket's binaryType is changed.
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
