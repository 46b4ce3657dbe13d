import { Refusal } from "@weft/shared/records/refusal.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { JsonValue } from "@weft/cwl/model/json-value.ts";
import { processAtStep, type ProcessAtStep } from "@weft/cwl/workflow/process-at-step.ts";
import type { Caller } from "../port/caller.ts";
import { restoreValues } from "../values/record-values.ts";
import { loadRecorded } from "../catalog/recorded-document.ts";
import type { JobRow, RunRow } from "../journal/rows.ts";
import { requireVisibleJob, requireVisibleRun } from "../access/visible-runs.ts";
import type { RunLog } from "../journal/run-log.ts";

/** The log's record of a job. */
export interface RecordedJob {
  readonly run: RunRow;
  readonly row: JobRow;
  readonly at: ProcessAtStep;
  /** Bound inputs with `file:` locations; undefined if the job was never prepared. */
  readonly inputs: CwlObject | undefined;
  /** The tool on its own as a CWL document, with the requirements inherited from the network. */
  readonly tool: JsonValue;
}

/** Reads the facts about a job from the log. Refuses `run-not-found` and `job-not-found`. */
export async function recordedJob(
  caller: Caller,
  request: { readonly runId: string; readonly jobId: string },
  services: RunLog,
): Promise<RecordedJob> {
  const { read } = services.journal;
  const run = requireVisibleRun(read, request.runId, caller);
  const row = requireVisibleJob(read, request, caller);
  const loaded = await loadRecorded(run, { read, uris: services.uris });
  const at = loaded.process === undefined ? undefined : processAtStep(loaded.process, row.step);
  if (at === undefined) throw new Refusal("job-not-found", `The run's document has no step ${row.step}.`);
  const inputs = row.inputs === null ? undefined : restoreValues(read.blob(row.inputs), services.uris);
  return { run, row, at, inputs, tool: packDocument({ ...loaded, process: at.standalone }) };
}
