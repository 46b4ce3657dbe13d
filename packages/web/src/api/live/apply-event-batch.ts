import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import type { Job, JobList } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { catalogKeys } from "../catalog-queries.ts";
import { eventKeys, type EventPage } from "../event-queries.ts";
import { jobKeys } from "../job-queries.ts";
import { lineageKeys } from "../lineage-queries.ts";
import { runKeys, type RunPage } from "../run-queries.ts";
import { serverKey } from "../server-query.ts";
import type { TimelineData } from "../timeline-data.ts";
import { timelineKey } from "../timeline-query.ts";
import { applyJobEvent } from "./apply-job-event.ts";
import { applyPageEvent } from "./apply-page-event.ts";
import { applyRunEvent } from "./apply-run-event.ts";
import { applyTimelineEvents } from "./apply-timeline-events.ts";

/**
 * Brings the query cache up to date with a batch of events: what an event says exactly is folded in at once, everything
 * else (counters, new rows, filtered lists) is handed to `refetch`, which reads it again at most once a second.
 */
export function applyEventBatch(
  cache: QueryClient,
  events: readonly WeftEvent[],
  refetch: (key: QueryKey) => void,
): void {
  const runIds = new Set(events.flatMap((event) => event.run_id ?? []));
  cache.setQueriesData<RunPage>(
    { queryKey: runKeys.lists },
    (page) => page && { ...page, runs: foldAll(page.runs, events, applyRunEvent) },
  );
  for (const runId of runIds)
    foldRun(
      cache,
      runId,
      events.filter((event) => event.run_id === runId),
    );
  for (const key of staleKeys(events, runIds)) refetch(key);
}

function foldRun(cache: QueryClient, runId: string, events: readonly WeftEvent[]): void {
  cache.setQueryData<Run>(runKeys.detail(runId), (run) => run && events.reduce(applyRunEvent, run));
  cache.setQueriesData<JobList>(
    { queryKey: jobKeys.lists(runId) },
    (page) => page && { ...page, jobs: [...foldAll(page.jobs, events, applyJobEvent)] },
  );
  cache.setQueriesData<Job>({ queryKey: jobKeys.details(runId) }, (job) => job && events.reduce(applyJobEvent, job));
  cache.setQueryData<InfiniteData<JobList>>(jobKeys.grid(runId), (data) => data && foldGrid(data, events));
  cache.setQueryData<TimelineData>(timelineKey(runId), (data) => data && applyTimelineEvents(data, events));
  cache.setQueryData<InfiniteData<EventPage>>(
    eventKeys.ofRun(runId),
    (data) => data && events.reduce(applyPageEvent, data),
  );
}

function foldGrid(data: InfiniteData<JobList>, events: readonly WeftEvent[]): InfiniteData<JobList> {
  return {
    ...data,
    pages: data.pages.map((page) => ({ ...page, jobs: [...foldAll(page.jobs, events, applyJobEvent)] })),
  };
}

function foldAll<Row>(
  rows: readonly Row[],
  events: readonly WeftEvent[],
  fold: (row: Row, event: WeftEvent) => Row,
): readonly Row[] {
  return rows.map((row) => events.reduce(fold, row));
}

function staleKeys(events: readonly WeftEvent[], runIds: ReadonlySet<string>): readonly QueryKey[] {
  const keys: QueryKey[] = [];
  if (runIds.size > 0) keys.push(runKeys.lists, serverKey);
  for (const runId of runIds)
    keys.push(runKeys.detail(runId), jobKeys.lists(runId), jobKeys.grid(runId), jobKeys.details(runId));
  for (const event of events) {
    if (event.type === "catalog.changed" || event.type === "run.ended") keys.push(catalogKeys.all);
    if (event.type === "run.ended" && event.run_id !== null)
      keys.push(lineageKeys.ofRun(event.run_id), timelineKey(event.run_id));
    if (event.type === "server.started" || event.type === "server.stopping") keys.push(serverKey);
  }
  return keys;
}
