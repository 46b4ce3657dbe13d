import type { EventOf, EventType, WeftEvent } from "@weft/shared/events/event.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { MAX_JOBS, type AllJobs, type JobTimes } from "../all-jobs.ts";

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
    return closeJobs(foldJobs(data, before), Date.parse(end.time));
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

/** The end of a run ends all of its jobs; the jobs that it stops have no separate event. */
function closeJobs({ jobs, total }: AllJobs, endedMs: number): AllJobs {
  return { jobs: jobs.map((job) => advance(job, "CANCELED", { endedMs })), total };
}

function isJobEvent(event: WeftEvent): event is JobEvent {
  return event.job_id !== undefined;
}

/** A job is new if its `job.queued` is among its events. */
function newJob(events: readonly JobEvent[]): readonly JobTimes[] {
  const queued = events.find(({ type }) => type === "job.queued");
  if (queued === undefined) return [];
  const job: JobTimes = {
    id: queued.job_id,
    step: queued.step ?? "",
    sample: queued.sample_id ?? null,
    state: "QUEUED",
    attempt: 1,
    cached: false,
    queuedMs: Date.parse(queued.time),
    startedMs: undefined,
    exitedMs: undefined,
    endedMs: undefined,
    cores: undefined,
    ramBytes: undefined,
    rssBytes: undefined,
  };
  return [events.reduce(applyEvent, job)];
}

function applyEvent(job: JobTimes, event: JobEvent): JobTimes {
  const timeMs = Date.parse(event.time);
  switch (event.type) {
    case "job.image":
    case "job.fetching":
      return advance(job, "INITIALIZING", {});
    case "job.started": {
      const { attempt, cache, ahead, cores, ram_bytes: ramBytes } = event.data;
      if (attempt < job.attempt || job.startedMs !== undefined || STATE_LOOKS[job.state].final) return job;
      const started = { ...job, attempt, cached: cache?.decision === "hit", cores, ramBytes };
      // A prepared job still waits for its turn.
      if (ahead === true) return { ...started, state: "QUEUED", isPrepared: true };
      return advance({ ...started, startedMs: timeMs }, "INITIALIZING", {});
    }
    case "job.running":
      return isOfEarlierAttempt(job) ? job : advance(job, "RUNNING", { startedMs: job.startedMs ?? whenOf(event) });
    case "job.exited":
      return job.startedMs === undefined ? job : { ...job, exitedMs: whenOf(event) };
    case "job.retrying": {
      const { attempt } = event.data;
      if (attempt < job.attempt || STATE_LOOKS[job.state].final) return job;
      const again = { attempt: attempt + 1, startedMs: undefined, exitedMs: undefined, isPrepared: false };
      return { ...job, ...again, state: "QUEUED" };
    }
    case "job.ended": {
      const { state, max_rss_bytes: rss, ran_ms: ranMs } = event.data;
      const startedMs = job.startedMs ?? (ranMs === undefined ? undefined : timeMs - ranMs);
      return advance(job, state, { startedMs, endedMs: timeMs, rssBytes: rss ?? undefined });
    }
    default:
      return job;
  }
}

/** When the event happened, because it may have been recorded later. */
function whenOf({ time, data }: EventOf<"job.running" | "job.exited">): number {
  return Date.parse(time) - (data.late_ms ?? 0);
}

/** A late event about a process while the next attempt is already waiting. */
function isOfEarlierAttempt({ attempt, isPrepared, startedMs }: JobTimes): boolean {
  return attempt > 1 && isPrepared !== true && startedMs === undefined;
}

function advance(job: JobTimes, state: JobState, change: Partial<JobTimes>): JobTimes {
  return STATE_LOOKS[job.state].rank >= STATE_LOOKS[state].rank ? job : { ...job, ...change, state };
}
