import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { parseJobState, STATE_LOOKS } from "../../format/state-look.ts";
import { MAX_TIMELINE_JOBS, type TimelineData, type TimelineJob } from "../timeline-data.ts";

/**
 * Folds a batch of events of one run into its timeline: jobs that they name change, new ones are appended up to the
 * bound. The whole costs one walk over the jobs, however many events there are. Applying a batch twice changes nothing.
 */
export function applyTimelineEvents(data: TimelineData, events: readonly WeftEvent[]): TimelineData {
  const byJob = Map.groupBy(
    events.filter(({ job_id }) => job_id !== undefined),
    ({ job_id }) => job_id ?? "",
  );
  if (byJob.size === 0) return data;
  const jobs = data.jobs.map((job) => {
    const own = byJob.get(job.id);
    byJob.delete(job.id);
    return own === undefined ? job : own.reduce(applyEvent, job);
  });
  const added = [...byJob.values()].flatMap(newJob);
  return {
    jobs: [...jobs, ...added.slice(0, Math.max(0, MAX_TIMELINE_JOBS - jobs.length))],
    total: Math.max(data.total, jobs.length + added.length),
  };
}

/** A job is new where its being queued is among its events. */
function newJob(events: readonly WeftEvent[]): readonly TimelineJob[] {
  const queued = events.find(({ type }) => type === "job.queued");
  if (queued === undefined) return [];
  const job: TimelineJob = {
    id: queued.job_id ?? "",
    step: queued.step ?? "",
    sample: queued.sample_id ?? null,
    state: "QUEUED",
    queuedMs: Date.parse(queued.time),
    startedMs: undefined,
    exitedMs: undefined,
    endedMs: undefined,
  };
  return [events.reduce(applyEvent, job)];
}

function applyEvent(job: TimelineJob, event: WeftEvent): TimelineJob {
  const timeMs = Date.parse(event.time);
  switch (event.type) {
    case "job.started":
      return advance(job, "INITIALIZING", { startedMs: timeMs });
    case "job.running":
      return advance(job, "RUNNING", {});
    case "job.exited":
      return { ...job, exitedMs: timeMs };
    case "job.ended":
      return advance(job, parseJobState(event.data["state"]) ?? job.state, { endedMs: timeMs });
    default:
      return job;
  }
}

function advance(job: TimelineJob, state: JobState, change: Partial<TimelineJob>): TimelineJob {
  return STATE_LOOKS[job.state].rank >= STATE_LOOKS[state].rank ? job : { ...job, ...change, state };
}
