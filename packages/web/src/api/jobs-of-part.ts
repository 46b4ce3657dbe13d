import type { JobTimesPart } from "@weft/shared/records/job-record.ts";
import type { JobTimes } from "./all-jobs.ts";

/** The jobs of one response, which lists the values field by field. */
export function jobsOfPart({ origin, steps, samples, jobs }: JobTimesPart): readonly JobTimes[] {
  const originMs = Date.parse(origin);
  const since = (ms: number | null | undefined): number | undefined => (ms == null ? undefined : originMs + ms);
  return jobs.job_id.map((id, n) => ({
    id,
    step: steps[jobs.step[n] ?? -1] ?? "",
    sample: samples[jobs.sample[n] ?? -1] ?? null,
    state: jobs.state[n] ?? "QUEUED",
    attempt: jobs.attempt[n] ?? 1,
    cached: jobs.cached[n] ?? false,
    queuedMs: originMs + (jobs.queued[n] ?? 0),
    startedMs: since(jobs.started[n]),
    exitedMs: undefined,
    endedMs: since(jobs.ended[n]),
    cores: jobs.cores[n] ?? undefined,
    ramBytes: jobs.ram_bytes[n] ?? undefined,
    rssBytes: jobs.max_rss_bytes[n] ?? undefined,
  }));
}
