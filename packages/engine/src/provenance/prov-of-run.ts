import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import { provDocument } from "./prov-document.ts";
import type { ProvDocument } from "./prov-document.ts";

/** The log of a run in terms of W3C PROV. */
export function provOfRun(run: RunRow, read: LogReader): ProvDocument {
  const { runId } = run;
  const isWritten = (uri: string) => read.writerOf(runId, uri) !== undefined;
  return provDocument({ run, jobs: read.jobsOfRun(runId), files: read.filesOfRun(runId), isWritten });
}
