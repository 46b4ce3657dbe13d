import type { Caller, ServableArchive } from "../port/engine.ts";
import { OLDEST, zipArchive } from "../archive/zip-archive.ts";
import { jobRecord } from "../present/job-record.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { Platform } from "./environment-text.ts";
import { recordedJob } from "./recorded-job.ts";
import { safeBundle } from "./safe-bundle.ts";
import { wholeBundle } from "./whole-bundle.ts";

export interface BundleContext {
  readonly services: RunServices;
  readonly weftVersion: string;
  readonly caller: Caller;
}

export interface WantedBundle {
  readonly runId: string;
  readonly jobId: string;
  /** False: contains no data, so it can be sent to outsiders. */
  readonly withData: boolean;
}

/** One job as an archive. Refuses `run-not-found` and `job-not-found`. */
export async function jobBundle(wanted: WantedBundle, context: BundleContext): Promise<ServableArchive> {
  const { runId, jobId, withData } = wanted;
  const { services, caller } = context;
  const recorded = await recordedJob(caller, { runId, jobId }, services);
  const { read } = services.journal;
  const record = jobRecord(caller, recorded.row, { ...services, read });
  const { cores, ramMib } = services.scheduler.capacity;
  const platform: Platform = { weftVersion: context.weftVersion, cores, ramMib };
  const bundle = withData ? wholeBundle : safeBundle;
  const entries = await bundle(recorded, record, { services, platform });
  // The time of a job can identify whose data it processed.
  const madeAt = withData ? new Date(recorded.row.endedMs ?? recorded.row.queuedMs) : OLDEST;
  const kind = withData ? "with-data" : "safe-to-share";
  return { name: `job-${jobId}-${kind}.zip`, open: () => zipArchive(entries, madeAt) };
}
