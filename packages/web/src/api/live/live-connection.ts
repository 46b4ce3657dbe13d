import type { InfiniteData, QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";
import type { EventOf, EventType, WeftEvent } from "@weft/shared/events/event.ts";
import { QUEUED_JOB, closeJob, foldJob } from "@weft/shared/fold/fold-job.ts";
import { STALE_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import { MAX_JOBS, allJobsKey, type AllJobs, type JobTimes } from "../queries/all-jobs.ts";
import { eventsKey, type EventPage } from "../queries/run-queries.ts";
import { routeKey } from "../route-query.ts";
import { EventSocket, eventStreamUrl, openSocket, type ConnectionStatus } from "./event-socket.ts";

const REFETCH_INTERVAL_MS = 1000;

/** The state that the connection dot shows. */
export interface LiveConnection {
  readonly status: () => ConnectionStatus;
  readonly subscribe: (listener: () => void) => () => void;
  stop(): void;
}

/** Starts the tab's only connection and keeps the query cache up to date with it. */
export function startLiveConnection(
  cache: QueryClient,
  onEvents: (events: readonly WeftEvent[]) => void,
): LiveConnection {
  const listeners = new Set<() => void>();
  let status: ConnectionStatus = { kind: "connecting" };
  const refetcher = new RefetchScheduler<QueryKey>({
    schedule: scheduleTimeout,
    intervalMs: REFETCH_INTERVAL_MS,
    refetch: (queryKey) => readAgain(cache, { queryKey }),
  });
  const batcher = new FrameBatcher((events) => {
    applyEventBatch(cache, events, (key) => refetcher.request(key));
    onEvents(events);
  });
  const socket = new EventSocket({
    clock: { now: () => Date.now(), pageAgeMs: () => performance.now(), schedule: scheduleTimeout },
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
  return {
    status: () => status,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => socket.stop(),
  };
}

function scheduleTimeout(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
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

/**
 * Reads the matching records again. A first read may still be waiting for an answer that the server gave before the
 * change. TanStack Query does not repeat that read, and treats its answer as fresh, so the record is read again. Never
 * rejects.
 */
export async function readAgain(cache: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const first = cache
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.data === undefined && state.fetchStatus !== "idle");
  const all = cache.invalidateQueries(filters);
  const again = first.map(async (query) => {
    // During a read, this returns the promise of that read.
    await query.fetch().catch(() => {});
    await cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
  });
  await Promise.all([all, ...again]);
}

interface RefetchSchedulerOptions<Key> {
  /** Resolves when the answer is in the cache; never rejects. */
  readonly refetch: (key: Key) => Promise<void>;
  readonly schedule: (delayMs: number, run: () => void) => void;
  readonly intervalMs: number;
}

/**
 * Reads a query again at most once per interval: immediately, then again at the end. Two reads of one query never
 * overlap, so a slow server is not overloaded.
 */
export class RefetchScheduler<Key> {
  readonly #options: RefetchSchedulerOptions<Key>;
  /** Keys that were read within the last interval; true: requested again meanwhile. */
  readonly #resting = new Map<string, boolean>();

  constructor(options: RefetchSchedulerOptions<Key>) {
    this.#options = options;
  }

  request(key: Key): void {
    const name = JSON.stringify(key);
    if (this.#resting.has(name)) this.#resting.set(name, true);
    else void this.#read(name, key);
  }

  async #read(name: string, key: Key): Promise<void> {
    this.#resting.set(name, false);
    await this.#options.refetch(key);
    this.#options.schedule(this.#options.intervalMs, () => this.#rested(name, key));
  }

  #rested(name: string, key: Key): void {
    const again = this.#resting.get(name) === true;
    this.#resting.delete(name);
    if (again) void this.#read(name, key);
  }
}

/**
 * Applies a batch of events to the query cache. Passes changed records to `refetch`, which reads them again at most
 * once a second. Updates in place only data that would take many requests to read again: the list of all jobs of a run,
 * and its events.
 */
export function applyEventBatch(
  cache: QueryClient,
  events: readonly WeftEvent[],
  refetch: (key: QueryKey) => void,
): void {
  const byRun = Map.groupBy(events, (event) => event.run_id);
  for (const [runId, own] of byRun) {
    if (runId === null) continue;
    cache.setQueryData<AllJobs>(allJobsKey(runId), (data) => data && foldJobs(data, own));
    if (!appendToPages(cache, eventsKey(runId), own)) refetch(eventsKey(runId));
  }
  for (const key of staleKeys(events)) refetch(key);
}

/** The answers that the events make stale, each once. A newer server may send events that this page does not know. */
function staleKeys(events: readonly WeftEvent[]): readonly QueryKey[] {
  const keys = new Map<string, QueryKey>();
  for (const { type, run_id: runId } of events)
    for (const route of STALE_ROUTES[type] ?? []) {
      const place = route.includes("{run_id}") ? { params: { run_id: runId } } : {};
      keys.set(JSON.stringify([route, place]), routeKey(route, place));
    }
  return [...keys.values()];
}

/** Appends events to the list of a run's events. False if the list is loading: the pending response may lack them. */
export function appendToPages(cache: QueryClient, queryKey: QueryKey, events: readonly WeftEvent[]): boolean {
  cache.setQueryData<InfiniteData<EventPage>>(queryKey, (data) => data && events.reduce(applyPageEvent, data));
  return cache.isFetching({ queryKey, exact: true }) === 0;
}

/** Appends an event to the loaded pages of a run's log if they reach its end and lack the event. */
export function applyPageEvent(data: InfiniteData<EventPage>, event: WeftEvent): InfiniteData<EventPage> {
  const last = data.pages.at(-1);
  if (last === undefined || last.next_page_token !== "") return data;
  if ((last.events.at(-1)?.seq ?? 0) >= event.seq) return data;
  const page = { ...last, events: [...last.events, event], last_seq: event.seq };
  return { ...data, pages: [...data.pages.slice(0, -1), page] };
}

type JobEvent = EventOf<Extract<EventType, `job.${string}`>>;

/**
 * Folds a batch of events of one run into the list of all its jobs: updates the jobs that they name and appends new
 * ones up to the limit. Costs one walk over the jobs, however many events there are. Applying a batch twice changes
 * nothing.
 */
export function foldJobs(data: AllJobs, events: readonly WeftEvent[]): AllJobs {
  const end = events.find(({ type }) => type === "run.ended");
  if (end !== undefined) {
    const before = events.filter((event) => event !== end);
    const { jobs, total } = foldJobs(data, before);
    return { jobs: jobs.map((job) => closeJob(job, Date.parse(end.time))), total };
  }
  const byJob = Map.groupBy(events.filter(isJobEvent), ({ job_id }) => job_id);
  if (byJob.size === 0) return data;
  const jobs = data.jobs.map((job) => {
    const own = byJob.get(job.id);
    byJob.delete(job.id);
    return own === undefined ? job : own.reduce(applyEvent, job);
  });
  const added = [...byJob.values()].flatMap(newJob);
  return {
    jobs: [...jobs, ...added.slice(0, Math.max(0, MAX_JOBS - jobs.length))],
    total: Math.max(data.total, jobs.length + added.length),
  };
}

function isJobEvent(event: WeftEvent): event is JobEvent {
  return event.job_id !== undefined;
}

/** A job is new if its `job.queued` is among its events. */
function newJob(events: readonly JobEvent[]): readonly JobTimes[] {
  const queued = events.find(({ type }) => type === "job.queued");
  if (queued === undefined) return [];
  const job: JobTimes = {
    ...QUEUED_JOB,
    id: queued.job_id,
    step: queued.step ?? "",
    sample: queued.sample_id ?? null,
    cached: false,
    queuedMs: Date.parse(queued.time),
    cores: undefined,
    ramBytes: undefined,
    rssBytes: undefined,
  };
  return [events.reduce(applyEvent, job)];
}

function applyEvent(job: JobTimes, event: JobEvent): JobTimes {
  if (isContained(event, job)) return job;
  const next = foldJob(job, event, Date.parse(event.time));
  if (next === job) return job;
  switch (event.type) {
    case "job.started": {
      const { cache, cores, ram_bytes: ramBytes } = event.data;
      return { ...next, cached: cache?.decision === "hit", cores, ramBytes };
    }
    case "job.ended":
      return { ...next, rssBytes: event.data.max_rss_bytes ?? undefined };
    default:
      return next;
  }
}

/** True if the record already contains the event: a read may overlap with events from the socket. */
function isContained(event: JobEvent, job: JobTimes): boolean {
  switch (event.type) {
    case "job.image":
    case "job.fetching":
      return job.state !== "QUEUED" || job.phase === "prepared";
    case "job.started":
      return event.data.attempt < job.attempt || (event.data.attempt === job.attempt && job.startedMs !== undefined);
    case "job.running":
      return job.state === "RUNNING";
    case "job.exited":
      return job.startedMs === undefined;
    case "job.retrying":
      return event.data.attempt < job.attempt;
    default:
      return false;
  }
}
