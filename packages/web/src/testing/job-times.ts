import type { JobTimes } from "../api/queries/all-jobs.ts";

/** A job that succeeded, without times; its step is the part of its ID before the point. */
export function jobTimes(change: Partial<JobTimes>): JobTimes {
  const { id = "" } = change;
  return {
    ...{ id, step: id.split(".")[0] ?? "", sample: null, state: "COMPLETE", attempt: 1, cached: false, queuedMs: 0 },
    ...{ startedMs: undefined, exitedMs: undefined, endedMs: undefined },
    ...{ cores: undefined, ramBytes: undefined, rssBytes: undefined },
    ...change,
  };
}
