// A run that was never run: only its size matters. Its answers and its events are given in place of the server's. The
// records have their types, so that a field that pages have come to need is missed by the compiler and not by a page.
import type { Page, WebSocketRoute } from "@playwright/test";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { Forecast, RunSizing } from "@weft/shared/records/insight-record.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import type { JobList, JobSummary } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";

const TIME = new Date(0).toISOString();
const JOBS_PER_STEP = 500;
const FORECAST: Forecast = { run_id: "bench", as_of: TIME, left: null, unknown: null, runs_before: 0, steps: [] };
const SIZING: RunSizing = { run_id: "bench", steps: [] };

export interface SyntheticRun {
  /** How many jobs it has, all of them in its state. */
  readonly jobs: number;
  readonly state?: "COMPLETE" | "RUNNING";
  /** Absent: none. */
  readonly samples?: string[];
}

/** Answers what pages ask about the run `bench` of so many jobs of the network `large`. */
export async function routeSyntheticRun(
  page: Page,
  { jobs, state = "COMPLETE", samples = [] }: SyntheticRun,
): Promise<void> {
  await page.route("**/api/runs/bench**", (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname.endsWith("/jobs")) return route.fulfill({ json: jobPage(jobs, searchParams) });
    if (pathname.endsWith("/forecast")) return route.fulfill({ json: FORECAST });
    if (pathname.endsWith("/sizing")) return route.fulfill({ json: SIZING });
    return route.fulfill({ json: { ...runAnswer(jobs, state), samples } });
  });
}

function runAnswer(jobs: number, state: "COMPLETE" | "RUNNING"): Run {
  const isDone = state === "COMPLETE";
  return {
    run_id: "bench",
    url: "",
    run: "",
    status: "",
    name: "Bench",
    network: { id: "large", version: null, digest: "", url: "" },
    state,
    outcome: isDone ? "success" : null,
    state_reason: null,
    created_at: TIME,
    start_time: TIME,
    end_time: isDone ? TIME : null,
    duration_ms: 0,
    revision: 1,
    owner: "local",
    archived: false,
    pinned: false,
    tags: {},
    progress: {
      jobs_total: jobs,
      jobs_total_is_final: true,
      jobs_done: isDone ? jobs : 0,
      jobs_cached: 0,
      fraction: isDone ? 1 : 0,
      eta: null,
    },
    job_counts: { [state]: jobs },
    inputs: {},
    options: {},
    note: "",
    samples: [],
    step_counts: [],
    partial: false,
    outputs: isDone ? {} : null,
    abort: null,
    relations: { retry_of: null, retried_by: [], newest: null },
    storage: null,
    pruned: [],
    links: {},
  };
}

function jobPage(count: number, query: URLSearchParams): JobList {
  const first = Number(query.get("page_token") ?? query.get("skip") ?? 0);
  const size = Number(query.get("page_size") ?? 50);
  const jobs = Array.from({ length: Math.min(size, count - first) }, (_, place) => jobAt(first + place));
  return { jobs, total: count, next_page_token: first + size < count ? String(first + size) : "" };
}

function jobId(n: number): string {
  return `step-${Math.floor(n / JOBS_PER_STEP)}.${n}`;
}

function jobAt(n: number): JobSummary {
  const time = (ms: number): string => new Date(ms).toISOString();
  const started = (n % 1000) * 400 + Math.floor(n / 1000) * 20_000;
  const took = 300 + ((n * 7919) % 9000);
  return {
    job_id: jobId(n),
    run_id: "bench",
    url: "",
    step: `step-${Math.floor(n / JOBS_PER_STEP)}`,
    sample_id: null,
    scatter_index: [n],
    state: n % 97 === 0 ? "EXECUTOR_ERROR" : "COMPLETE",
    phase: "ended",
    state_reason: null,
    attempt: 1,
    exit_code: 0,
    signal: null,
    timing: {
      queued_at: time(started / 2),
      started_at: time(started),
      ended_at: time(started + took),
      queued_ms: 0,
      running_ms: took,
    },
    cached: false,
    cache_decision: "miss",
    resources: {
      requested: { cores: 1, ram_bytes: 2 ** 30 },
      used: { cpu_ms: took, max_rss_bytes: n * 1000, memory_source: null, io_read_bytes: null, io_write_bytes: null },
    },
    backend: { kind: "local", native_id: String(n), reason: null },
  };
}

export interface SyntheticEvents {
  /** Gives the page so many events of the first `among` jobs of the run. */
  send(count: number, among: number): void;
}

/** Takes the place of the server's event stream. */
export async function routeSyntheticEvents(page: Page): Promise<SyntheticEvents> {
  let socket: WebSocketRoute | undefined;
  let seq = 0;
  await page.routeWebSocket(/\/api\/events$/, (ws) => {
    socket = ws;
    ws.onMessage(() => undefined);
    ws.send(JSON.stringify({ op: "hello", server: "bench", last_seq: seq }));
  });
  return {
    send(count, among) {
      const events = Array.from({ length: count }, () => eventOf((seq += 1), seq % among));
      socket?.send(JSON.stringify({ op: "events", events }));
    },
  };
}

const EVENT_TYPES = ["job.queued", "job.started", "job.running", "job.ended"] as const;

function eventOf(seq: number, job: number): WeftEvent {
  const type = EVENT_TYPES[seq % EVENT_TYPES.length] ?? "job.ended";
  const time = new Date(seq * 10).toISOString();
  const head = { seq, time, run_id: "bench", job_id: jobId(job), step: `step-${Math.floor(job / JOBS_PER_STEP)}` };
  return partialEvent(type, head, { state: "COMPLETE", exit_code: 0, signal: null, reason: null });
}
