import { BACKEND_KINDS, type BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { BackendList, Queue, QueuedRun, ServerLoad } from "@weft/shared/records/operations-record.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import { mayRunAt, type BackendPolicy } from "../executor/backends/choose-backend.ts";
import { HostLoad } from "./host-load.ts";
import { LOAD_INTERVALS } from "./load-curves.ts";
import type { Journal } from "../journal/journal.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/caller.ts";
import type { Agent } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import { nullableTime, timeText } from "../present/present-time.ts";
import type { Asking, ReadPool } from "../read/read-pool.ts";
import type { QueueEntry, Scheduler } from "../schedule/scheduler.ts";
import type { operationsTasks } from "./operations-tasks.ts";

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const PAGE_SIZE = 50;
const USUAL_HOURS = 6;
const SHOWN_REASONS = 20;

interface OperationsParts {
  readonly journal: Pick<Journal, "read" | "nowMs">;
  readonly scheduler: Scheduler;
  readonly backends: BackendPolicy;
  /** Reads data that grows with the number of runs. */
  readonly reads: ReadPool;
  readonly begin: (agent: Agent) => void;
}

/** The views for operators of a server. */
export function operationsMethods(parts: OperationsParts): RouteMethods {
  const { journal, scheduler, backends, reads, begin } = parts;
  const { ask } = reads.of<typeof operationsTasks>("operations");
  const hostLoad = new HostLoad(() => journal.nowMs());
  begin(hostLoad);
  return {
    "GET /api/server/queue": ({ caller, query }) => queuePage(caller, query, parts),
    "GET /api/server/load": ({ caller, query: { hours = USUAL_HOURS } }) =>
      serverLoad(caller, hours, { ...parts, ask, hostLoad }),
    "GET /api/server/backends": () => listBackends(backends, scheduler, journal.read),
    "GET /api/server/disk": async ({ caller, query }) => {
      const { process: processId, page_size: pageSize = PAGE_SIZE, page_token: pageToken } = query;
      // The page token is checked here, where a refusal costs nothing.
      decodeToken(pageToken, ["number", "string"]);
      return ask(caller, "disk", { processId, pageSize, pageToken });
    },
  };
}

function queuePage(
  caller: Caller,
  { page_size: size = PAGE_SIZE, page_token: token }: RouteQuery<"GET /api/server/queue">,
  { journal: { read }, scheduler }: OperationsParts,
): Queue {
  const after = decodeToken(token, ["number", "string"]);
  const owner = visibleOwner(caller);
  const all = scheduler.queue().map((entry) => ({ entry, row: read.run(entry.runId, owner) }));
  const visible = all
    .flatMap(({ entry, row }) => (row === undefined ? [] : [{ entry, row }]))
    .toSorted((a, b) => b.entry.priority - a.entry.priority || (a.entry.runId < b.entry.runId ? -1 : 1));
  const rest = after === undefined ? visible : visible.filter(({ entry }) => isAfter(entry, after));
  const shown = rest.slice(0, size);
  const last = shown.at(-1)?.entry;
  return {
    runs: shown.map(({ entry, row }) => presentEntry(caller, entry, row, { read, scheduler })),
    jobs_hidden: all.reduce((sum, { entry, row }) => (row === undefined ? sum + entry.waiting : sum), 0),
    total: visible.length,
    next_page_token: rest.length > size && last !== undefined ? encodeToken([last.priority, last.runId]) : "",
  };
}

function isAfter(
  { priority, runId }: QueueEntry,
  [lastPriority = 0, lastId = ""]: readonly (string | number)[],
): boolean {
  return priority < Number(lastPriority) || (priority === Number(lastPriority) && runId > String(lastId));
}

function presentEntry(
  { links }: Caller,
  entry: QueueEntry,
  row: RunRow,
  { read, scheduler }: { readonly read: LogReader; readonly scheduler: Scheduler },
): QueuedRun {
  const groups = entry.groups.toSorted((a, b) => b.jobs - a.jobs).slice(0, SHOWN_REASONS);
  const queued = groups.flatMap(({ jobId }) => read.job(entry.runId, jobId)?.queuedMs ?? []);
  return {
    run_id: entry.runId,
    url: links.run(entry.runId),
    name: row.name,
    owner: row.owner,
    priority: entry.priority,
    paused: entry.isPaused,
    jobs_running: entry.running,
    jobs_waiting: entry.waiting,
    cores_held: entry.cores,
    ram_held_bytes: Math.round(entry.ramMib * MIB),
    waiting_since: nullableTime(queued.length === 0 ? null : Math.min(...queued)),
    reasons: groups.map(({ waitingFor, jobs, jobId }) => ({
      waiting_for: waitingFor,
      jobs,
      job_id: jobId,
      message: scheduler.whyWaiting(entry.runId, jobId) ?? "about to start",
    })),
  };
}

interface LoadParts extends OperationsParts {
  readonly ask: Asking<typeof operationsTasks>["ask"];
  readonly hostLoad: HostLoad;
}

async function serverLoad(
  caller: Caller,
  hours: number,
  { journal, scheduler, hostLoad, ask }: LoadParts,
): Promise<ServerLoad> {
  const toMs = journal.nowMs();
  const fromMs = toMs - hours * HOUR_MS;
  const intervalMs = (toMs - fromMs) / LOAD_INTERVALS;
  const { jobs, isTruncated } = await ask(caller, "load", fromMs, toMs);
  return {
    from: timeText(fromMs),
    interval_ms: intervalMs,
    cores: scheduler.capacity.cores,
    ram_bytes: scheduler.capacity.ramMib * MIB,
    truncated: isTruncated,
    jobs: [...jobs],
    host: hostLoad.averages(fromMs, intervalMs, LOAD_INTERVALS),
  };
}

function listBackends(policy: BackendPolicy, scheduler: Scheduler, read: LogReader): BackendList {
  const counts = read.jobsAtBackends();
  const jobsAt = (kind: BackendKind, isRunning: boolean) =>
    counts.reduce(
      (sum, found) => (found.backend === kind && found.isRunning === isRunning ? sum + found.jobs : sum),
      0,
    );
  const { slots, remote = 0 } = scheduler.capacity;
  const backends = BACKEND_KINDS.map((kind) => ({
    kind,
    is_default: policy.standard === kind,
    gets_jobs: mayRunAt(policy, kind),
    places: kind === "local" ? slots : remote,
    jobs_running: jobsAt(kind, true),
    jobs_starting: jobsAt(kind, false),
  }));
  // A backend to which no job may go matters only while jobs of an earlier server are there.
  const isShown = ({ kind, gets_jobs, jobs_running, jobs_starting }: (typeof backends)[number]) =>
    kind === "local" || gets_jobs || jobs_running + jobs_starting > 0;
  return { backends: backends.filter(isShown) };
}
