import { join } from "node:path";
import type { Job as JobRecord } from "@weft/shared/records/job-record.ts";
import type { Caller } from "../port/caller.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { runNow } from "../files/beneath/steps.ts";
import { attemptPath } from "../files/attempt-folder.ts";
import type { DiskAccess } from "../access/disk-access.ts";
import { visibleRunName } from "../access/visible-runs.ts";
import { streamPath } from "../journal/stream-path.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { JobRow } from "../journal/rows.ts";
import { presentJob } from "./present-job.ts";
import { presentValues } from "./present-values.ts";

interface JobRecordSource {
  readonly read: LogReader;
  /** Absolute path. */
  readonly runsFolder: string;
  readonly access: DiskAccess;
}

/** The record of one job, with its inputs, outputs and log sizes. */
export function jobRecord(caller: Caller, row: JobRow, { read, ...folders }: JobRecordSource): JobRecord {
  const values = (digest: string | null) =>
    digest === null ? null : presentValues(read.blobToShow(digest), caller.links);
  const details = {
    inputs: values(row.inputs) ?? {},
    outputs: values(row.outputs),
    logSizes: logSizes(row, folders),
    nameOfRun: (runId: string) => visibleRunName(read, runId, caller),
  };
  return presentJob(row, details, caller.links);
}

function logSizes({ runId, command, ...job }: JobRow, { runsFolder, access }: Omit<JobRecordSource, "read">) {
  if (command === null) return undefined;
  const reach = access.ofShownRun(runId);
  const sizeOf = (stream: "stdout" | "stderr") =>
    sizeAt(join(runsFolder, runId, attemptPath(job, streamPath(command, stream))), reach);
  return { stdout: sizeOf("stdout"), stderr: sizeOf("stderr") };
}

/** The size of a log; 0 if it does not exist yet or may not be shown. */
function sizeAt(path: string, reach: Reach): number {
  try {
    return runNow(reach.stat(path))?.size ?? 0;
  } catch (error) {
    if (error instanceof OutOfReach) return 0;
    throw error;
  }
}
