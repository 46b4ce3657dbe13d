import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { applyEventBatch } from "./apply-event-batch.ts";
import { EventSocket, type ConnectionStatus } from "./event-socket.ts";
import { eventStreamUrl, openSocket } from "./open-socket.ts";
import { readAgain } from "./read-again.ts";
import { RefetchScheduler } from "./refetch-scheduler.ts";
import { notifyOfEnds } from "./run-notices.ts";

const REFETCH_INTERVAL_MS = 1000;

/** The state that the connection dot shows. */
export interface LiveConnection {
  readonly status: () => ConnectionStatus;
  readonly subscribe: (listener: () => void) => () => void;
  stop(): void;
}

/** Starts the tab's only connection and keeps the query cache up to date with it. */
export function startLiveConnection(cache: QueryClient): LiveConnection {
  const listeners = new Set<() => void>();
  let status: ConnectionStatus = { kind: "connecting" };
  const refetcher = new RefetchScheduler<QueryKey>({
    schedule: scheduleTimeout,
    intervalMs: REFETCH_INTERVAL_MS,
    refetch: (queryKey) => readAgain(cache, { queryKey }),
  });
  const batcher = new FrameBatcher((events) => {
    applyEventBatch(cache, events, (key) => refetcher.request(key));
    notifyOfEnds(events);
  });
  const socket = new EventSocket({
    clock: { now: () => Date.now(), schedule: scheduleTimeout },
    open: (listener) => openSocket(eventStreamUrl(), listener),
    random: Math.random,
    onEvents: (events) => batcher.add(events),
    onReset: () => void readAgain(cache),
    onStatus: (next) => {
      status = next;
      // Without the stream, pages refetch their data on each attempt to reconnect.
      if (next.kind === "waiting" && next.attempt > 1) void readAgain(cache);
      for (const listener of listeners) listener();
    },
  });
  socket.start();
  return { status: () => status, subscribe: (listener) => addListener(listeners, listener), stop: () => socket.stop() };
}

function scheduleTimeout(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

function addListener(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const HIDDEN_FLUSH_MS = 1000;

/** Collects events and hands them on once per painted frame, or once a second while the tab is hidden. */
class FrameBatcher {
  readonly #flush: (events: readonly WeftEvent[]) => void;
  #waiting: WeftEvent[] = [];

  constructor(flush: (events: readonly WeftEvent[]) => void) {
    this.#flush = flush;
  }

  add(events: readonly WeftEvent[]): void {
    if (this.#waiting.length === 0) this.#schedule();
    this.#waiting.push(...events);
  }

  #schedule(): void {
    const run = (): void => {
      const events = this.#waiting;
      this.#waiting = [];
      this.#flush(events);
    };
    if (document.hidden) setTimeout(run, HIDDEN_FLUSH_MS);
    else requestAnimationFrame(run);
  }
}
