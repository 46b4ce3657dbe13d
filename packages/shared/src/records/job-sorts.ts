// Separate from the records, so that a page that sorts need not load the schema library.

/** The sort orders of a list of jobs; a leading `-` puts the largest first. */
export const JOB_SORT_KEYS = [
  "n",
  "job_id",
  "step",
  "sample_id",
  "state",
  "attempt",
  "queued_ms",
  "running_ms",
  "cpu_ms",
  "max_rss_bytes",
  "exit_code",
  "backend",
  "cache",
  "message",
] as const;
export type JobSortKey = (typeof JOB_SORT_KEYS)[number];
export type JobSort = JobSortKey | `-${JobSortKey}`;
