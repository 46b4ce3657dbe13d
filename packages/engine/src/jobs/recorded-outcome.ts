import type { JobOutcome } from "./job.ts";
import { restoreValues } from "../values/record-values.ts";
import type { JobRow } from "../journal/rows.ts";
import type { RunLog } from "../journal/run-log.ts";

/** The recorded outcome of a job that ended under an earlier server. */
export function recordedOutcome(row: JobRow, { journal, uris }: RunLog): JobOutcome {
  if (row.state === "COMPLETE" && row.outputs !== null)
    return { status: "success", outputs: restoreValues(journal.read.blob(row.outputs), uris) };
  const state = row.state === "SYSTEM_ERROR" ? "SYSTEM_ERROR" : "EXECUTOR_ERROR";
  return { status: "failed", state, reason: row.reason ?? { code: "ENGINE", message: "the job failed" } };
}
