import type { EventOf, EventType, WeftEvent } from "@weft/shared/events/event.ts";
import { closeJob, foldJob, QUEUED_JOB } from "@weft/shared/fold/fold-job.ts";
import { MAX_JOBS, type AllJobs, type JobTimes } from "../queries/all-jobs.ts";

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
