import type { Links } from "@weft/shared/links.ts";
import type { PlacedFile } from "@weft/shared/records/placed-file.ts";
import type { CwlJsonObject } from "@weft/shared/records/primitives.ts";
import type {
  OmittedValues,
  ProcessReference,
  Run,
  RunRelations,
  RunStatus,
  RunSummary,
  StepCounts,
} from "@weft/shared/records/run-record.ts";
import { isWesDocument } from "@weft/shared/records/wes-document-id.ts";
import { FINAL_STATES } from "@weft/shared/records/state-names.ts";
import type { JobCounts } from "@weft/shared/records/state.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { KilledJobs } from "../journal/read-jobs.ts";
import type { NamedRun } from "../journal/read-runs.ts";
import type { RunRow, StepRow } from "../journal/rows.ts";
import { presentAbort } from "./present-kill.ts";
import { nullableTime, timeText } from "./present-time.ts";
import { withWaitingReasonOfRun } from "./why-waiting.ts";

export function presentRunSummary(run: RunRow, links: Links, nowMs: number): RunSummary {
  const row = withWaitingReasonOfRun(run);
  return {
    run_id: row.runId,
    url: links.run(row.runId),
    run: links.run(row.runId),
    status: links.runStatus(row.runId),
    name: row.name,
    [row.kind]: processReference(row, links),
    state: row.state,
    outcome: row.outcome,
    state_reason: row.reason,
    created_at: timeText(row.createdMs),
    start_time: nullableTime(row.startedMs),
    end_time: nullableTime(row.endedMs),
    duration_ms: row.startedMs === null ? null : Math.max(0, (row.endedMs ?? nowMs) - row.startedMs),
    revision: row.revision,
    owner: row.owner,
    tags: { ...row.tags },
    archived: row.archived,
    pinned: row.pinned,
    progress: progressOf(row, nowMs),
    job_counts: row.jobCounts,
    ...(row.imported?.foreign === undefined ? {} : { foreign: true }),
  };
}

export function presentStatus(run: RunRow, nowMs: number): RunStatus {
  const row = withWaitingReasonOfRun(run);
  return {
    run_id: row.runId,
    state: row.state,
    outcome: row.outcome,
    state_reason: row.reason,
    job_counts: row.jobCounts,
    progress: progressOf(row, nowMs),
    revision: row.revision,
    updated_at: timeText(row.updatedMs),
  };
}

export interface RunDetails {
  readonly creation: ReturnType<LogReader["creation"]>;
  readonly inputs: CwlJsonObject | null;
  readonly outputs: CwlJsonObject | null;
  /** The sizes of the omitted values. */
  readonly omitted: Omit<OmittedValues, "url"> | undefined;
  readonly placed: PlacedFile[] | null;
  readonly steps: readonly StepRow[];
  readonly samples: readonly string[];
  readonly outstandingJobs: readonly string[];
  readonly retryOf: NamedRun | null;
  readonly retriedBy: readonly NamedRun[];
  /** The catalog's current document under the run's id, if it differs. */
  readonly newest: ProcessReference | null;
  readonly killedJobs: KilledJobs;
  readonly storage: Run["storage"];
  readonly pruned: Run["pruned"];
}

export function presentRun(
  row: RunRow,
  details: RunDetails,
  { links, nowMs }: { readonly links: Links; readonly nowMs: number },
): Run {
  return {
    ...presentRunSummary(row, links, nowMs),
    inputs: details.inputs,
    options: row.options,
    note: row.note,
    samples: [...details.samples],
    ...(Object.keys(row.samples).length === 0 ? {} : { sample_names: namesOf(row) }),
    step_counts: details.steps.map(presentStep),
    outputs: details.outputs,
    ...(details.omitted === undefined
      ? {}
      : { omitted: { ...details.omitted, url: `${links.run(row.runId)}?view=full` } }),
    partial: isPartial(row),
    ...(Object.keys(row.sinks).length === 0 ? {} : { sink_data: { ...row.sinks }, placed: details.placed }),
    abort: presentAbort(row, details),
    relations: presentRelations(details, links),
    ...presentReproduction(row, links),
    ...presentImport(row),
    ...presentCreation(details),
    storage: details.storage,
    pruned: details.pruned,
    links: {
      jobs: links.runPart(row.runId, "jobs"),
      events: links.runPart(row.runId, "events"),
      outputs: links.runPart(row.runId, "outputs"),
      outputs_zip: links.runPart(row.runId, "outputs.zip"),
      provenance: links.runPart(row.runId, "provenance"),
      page: links.runPage(row.runId),
    },
  };
}

function namesOf({ samples }: RunRow): Record<string, string[]> {
  return Object.fromEntries(Object.entries(samples).map(([input, names]) => [input, [...names]]));
}

function processReference(row: RunRow, links: Links): ProcessReference {
  return {
    id: row.processId,
    version: row.processVersion,
    digest: row.processDigest,
    url: processUrl(row, links),
    ...(row.processLabel === null ? {} : { label: row.processLabel }),
  };
}

function processUrl({ kind, processId, processVersion }: RunRow, links: Links): string {
  if (isWesDocument(processId)) return links.wesDocument(processId);
  return kind === "network" ? links.network(processId, processVersion) : links.tool(processId, processVersion);
}

function presentCreation({ creation }: RunDetails): Pick<Run, "engine" | "wes" | "draft"> {
  const { engine_version: version, engine_platform: platform = null, wes, draft } = creation;
  return {
    ...(version === undefined ? {} : { engine: { version, platform } }),
    ...(wes === undefined ? {} : { wes: { ...wes, notes: [...wes.notes] } }),
    ...(draft === undefined ? {} : { draft: { ...draft } }),
  };
}

function presentStep(step: StepRow): StepCounts {
  return {
    step: step.step,
    ...(step.label === null ? {} : { label: step.label }),
    jobs_total: step.jobsTotal,
    jobs_total_is_final: step.jobsTotalIsFinal,
    jobs_cached: step.jobsCached,
    job_counts: step.jobCounts,
  };
}

function presentReproduction({ reproduces, verdict }: RunRow, links: Links): Pick<Run, "reproduction"> {
  if (reproduces === null) return {};
  return {
    reproduction: {
      of: reproduces.run_id,
      url: links.run(reproduces.run_id),
      tolerance: reproduces.tolerance,
      verdict: verdict?.verdict ?? null,
      compared_at: nullableTime(verdict?.compared_ms ?? null),
    },
  };
}

function presentImport({ imported }: RunRow): Pick<Run, "imported"> {
  if (imported === null) return {};
  const { imported_ms: importedMs, foreign, ...rest } = imported;
  const { profiles = [], missing = [] } = foreign ?? {};
  const facts =
    foreign === undefined ? {} : { foreign: { ...foreign, profiles: [...profiles], missing: [...missing] } };
  return { imported: { ...rest, ...facts, imported_at: timeText(importedMs) } };
}

function presentRelations({ retryOf, retriedBy, newest }: RunDetails, links: Links): RunRelations {
  const related = ({ runId, name }: NamedRun) => ({ run_id: runId, url: links.run(runId), name });
  return {
    retry_of: retryOf === null ? null : related(retryOf),
    retried_by: retriedBy.map(related),
    newest,
  };
}

/** True if a run ended early but has outputs. */
export function isPartial({ endedMs, state, outputs, jobCounts }: RunRow): boolean {
  return endedMs !== null && state !== "COMPLETE" && (outputs !== null || (jobCounts.COMPLETE ?? 0) > 0);
}

/** Jobs that ended by themselves; a canceled one is not done. */
function jobsDone(counts: JobCounts): number {
  return FINAL_STATES.filter((state) => state !== "CANCELED").reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

/** Estimates the time left from the pace so far, once there is one and the number of jobs is known. */
function progressOf(row: RunRow, nowMs: number): RunSummary["progress"] {
  const done = jobsDone(row.jobCounts);
  const ended = row.endedMs !== null;
  const known = row.jobsTotalIsFinal && row.jobsTotal > 0;
  const fraction = row.state === "COMPLETE" ? 1 : known ? Math.min(1, done / row.jobsTotal) : null;
  return {
    jobs_total: Math.max(row.jobsTotal, done + (row.jobCounts.CANCELED ?? 0)),
    jobs_total_is_final: row.jobsTotalIsFinal || ended,
    jobs_done: done,
    jobs_cached: row.jobsCached,
    fraction,
    eta:
      ended || !known || done === 0 || row.startedMs === null
        ? null
        : timeText(nowMs + ((nowMs - row.startedMs) * (row.jobsTotal - done)) / done),
  };
}
