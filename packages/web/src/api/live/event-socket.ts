import type { ClientFrame, ServerFrame } from "@weft/shared/events/event-record.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { basePath } from "../base-path.ts";

export type ConnectionStatus =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "waiting"; readonly retryAtMs: number; readonly attempt: number };

/** Callbacks of a connection. */
export interface SocketListener {
  received(data: unknown): void;
  closed(): void;
}

/** The part of a WebSocket that is used here. */
export interface SocketPort {
  send(text: string): void;
  /** Closes without telling the listener. */
  close(): void;
}

type Hello = Extract<ServerFrame, { readonly op: "hello" }>;

interface EventSocketOptions {
  readonly open: (listener: SocketListener) => SocketPort;
  readonly clock: {
    now(): number;
    /** How long ago the page began to load. */
    pageAgeMs(): number;
    schedule(delayMs: number, run: () => void): () => void;
  };
  readonly random: () => number;
  readonly onEvents: (events: readonly WeftEvent[]) => void;
  /** Called when events may have been missed, so that all data must be read again. */
  readonly onReset: () => void;
  readonly onStatus: (status: ConnectionStatus) => void;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

/**
 * The tab's only connection to the event log. It resumes after the last number it has seen. If numbers are missing, it
 * says so instead of guessing, because the store is the truth and the socket only saves time.
 */
export class EventSocket {
  readonly #options: EventSocketOptions;
  #socket: SocketPort | undefined;
  #lastSeq: number | undefined;
  #attempt = 0;
  #cancelRetry: (() => void) | undefined;

  constructor(options: EventSocketOptions) {
    this.#options = options;
  }

  /** Opens the connection and keeps it open until `stop`. */
  start(): void {
    this.#cancelRetry?.();
    this.#options.onStatus({ kind: "connecting" });
    this.#socket = this.#options.open({
      received: (data) => this.#receive(parseFrame(data)),
      closed: () => this.#retry(),
    });
  }

  stop(): void {
    this.#cancelRetry?.();
    this.#socket?.close();
    this.#socket = undefined;
  }

  #receive(frame: ServerFrame | undefined): void {
    switch (frame?.op) {
      case "hello":
        return this.#greet(frame);
      case "events":
        return this.#take(frame.events);
      case "reset":
        return this.#restart(frame.last_seq);
      case "pong":
      case "error":
      case undefined:
        return;
    }
  }

  #greet({ last_seq: serverSeq, quiet_ms: quietMs = 0 }: Hello): void {
    this.#attempt = 0;
    this.#options.onStatus({ kind: "live" });
    const known = this.#lastSeq;
    // Nothing has happened since the page began to read.
    const isFresh = known === undefined && quietMs >= this.#options.clock.pageAgeMs();
    if (isFresh) this.#subscribe(serverSeq);
    // A first connection may have come after the first reads; a smaller number is another state folder.
    else if (known === undefined || known > serverSeq) this.#restart(serverSeq);
    else this.#subscribe(known);
  }

  #subscribe(since: number): void {
    this.#lastSeq = since;
    this.#send({ op: "subscribe", since });
  }

  #restart(serverSeq: number): void {
    this.#subscribe(serverSeq);
    this.#options.onReset();
  }

  #take(events: readonly WeftEvent[]): void {
    const known = this.#lastSeq ?? 0;
    const fresh = events.filter((event) => event.seq > known);
    const first = fresh[0];
    const last = fresh.at(-1);
    if (first === undefined || last === undefined) return;
    this.#lastSeq = last.seq;
    if (first.seq > known + 1) this.#options.onReset();
    this.#options.onEvents(fresh);
  }

  #send(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  #retry(): void {
    const { clock, random, onStatus } = this.#options;
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** this.#attempt, LAST_RETRY_MS) * (0.5 + random() / 2);
    this.#attempt += 1;
    onStatus({ kind: "waiting", retryAtMs: clock.now() + delayMs, attempt: this.#attempt });
    this.#cancelRetry = clock.schedule(delayMs, () => this.start());
  }
}

/** Parses a frame; undefined if it is not a JSON object, because the next frame may be valid. */
function parseFrame(data: unknown): ServerFrame | undefined {
  if (typeof data !== "string") return undefined;
  try {
    // The server's tests prove the shape of its frames; an unknown `op` is ignored.
    return JSON.parse(data) as ServerFrame;
  } catch {
    return undefined;
  }
}

/** ws:// or wss:// address of the event stream of this server. */
export function eventStreamUrl(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${basePath}/api/events`;
}

/** Opens the browser's WebSocket. Throws for an invalid address. */
export function openSocket(url: string, listener: SocketListener): SocketPort {
  const socket = new WebSocket(url);
  const stop = new AbortController();
  socket.addEventListener("message", (event) => listener.received(event.data), { signal: stop.signal });
  socket.addEventListener("close", () => listener.closed(), { signal: stop.signal });
  return {
    send: (text) => socket.send(text),
    close: () => {
      stop.abort();
      socket.close();
    },
  };
}
