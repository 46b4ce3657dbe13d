import type { Caller } from "../port/caller.ts";
import type { RouteMethods, ServableArchive } from "../port/route-methods.ts";
import { OLDEST, zipArchive } from "../archive/zip-archive.ts";
import { jobRecord } from "../present/present-job.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { Platform } from "./environment-text.ts";
import { recordedJob } from "./recorded-job.ts";
import { safeBundle } from "./safe-bundle.ts";
import { wholeBundle } from "./whole-bundle.ts";

export function bundleMethods(services: RunServices): RouteMethods {
  return {
    "GET /api/runs/{run_id}/jobs/{job_id}/bundle": ({ caller, params, query: { data: withData = false } }) =>
      jobBundle(caller, { runId: params.run_id, jobId: params.job_id, withData }, services),
  };
}

/** One job as an archive. Refuses `run-not-found` and `job-not-found`. */
async function jobBundle(
  caller: Caller,
  { runId, jobId, withData }: { readonly runId: string; readonly jobId: string; readonly withData: boolean },
  services: RunServices,
): Promise<ServableArchive> {
  const recorded = await recordedJob(caller, { runId, jobId }, services);
  const { read } = services.journal;
  const record = jobRecord(caller, recorded.row, { ...services, read });
  const { cores, ramMib } = services.scheduler.capacity;
  const platform: Platform = { weftVersion: services.version, cores, ramMib };
  const bundle = withData ? wholeBundle : safeBundle;
  const entries = await bundle(recorded, record, { services, platform });
  // The time of a job can identify whose data it processed.
  const madeAt = withData ? new Date(recorded.row.endedMs ?? recorded.row.queuedMs) : OLDEST;
  // Without data, it can be sent to outsiders.
  const kind = withData ? "with-data" : "safe-to-share";
  return { name: `job-${jobId}-${kind}.zip`, open: () => zipArchive(entries, madeAt) };
}
