import { CLOSED_JOB } from "@weft/shared/fold/fold-job.ts";
import { foldRun, type RunChangeType } from "@weft/shared/fold/fold-run.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { JobState, RunState } from "@weft/shared/records/state.ts";
import type { NewEvent } from "./journal-event.ts";
import { completeFiles, projectFiles } from "./project-files.ts";
import { importRun } from "./project-import.ts";
import { isJobEvent, projectJobEvent, type Projection } from "./project-job.ts";
import { forgetUses, noteForeignFiles, noteUses, projectStorageEvent, projectUploadPruned } from "./project-storage.ts";
import { jsonOrNull, namedStatement, type Statements } from "./statements.ts";

/**
 * Folds one event into the tables, in the same way when it happens and when they are rebuilt. False: the event comes too
 * late, changes nothing and must not be recorded.
 */
export function projectEvent(event: NewEvent, into: Projection): boolean {
  if (event.type === "upload.pruned") return projectUploadPruned(event, into);
  if (event.type === "run.imported") return importRun(event, into, projectEvent);
  const { run_id: runId } = event;
  if (runId === null) return into.features.fold(event, into);
  if (event.type === "run.created") return createRun(event, into) && into.features.fold(event, into);
  const state = into.tally.stateOf(runId);
  if (state === undefined) throw new Error(`event ${event.type} of an unknown run ${runId}`);
  const applied = isJobEvent(event)
    ? projectJobEvent(event, isFinal(state), into)
    : projectRunEvent(event, { ...into, state });
  if (!applied || !into.features.fold(event, into)) return false;
  into.tally.countEvent(runId, into.nowMs);
  return true;
}

type RunEventOf<Type extends NewEvent["type"]> = Extract<NewEvent, { type: Type }>;

/** A projection, and the state that a run has before the event. */
interface RunPlace extends Projection {
  readonly state: RunState;
}

/** A projection, and the state that the event gives to the run. */
interface RunProjection extends RunPlace {
  readonly next: RunState;
}

/** Events that change an existing run. */
type RunChange = RunEventOf<RunChangeType>;

function projectRunEvent(event: RunChange, into: RunPlace): boolean {
  const { sql, tally, state } = into;
  const begun = "SELECT 1 FROM runs WHERE run_id = ? AND started_ms IS NOT NULL";
  const next = foldRun(state, event, () => sql.has(begun, event.run_id));
  if (next === undefined || !applyToRun(event, event.run_id, { ...into, next })) return false;
  if (next !== state) tally.setState(event.run_id, next);
  return true;
}

/** False for an event that changes nothing for a reason other than the state of the run. */
function applyToRun(event: RunChange, runId: string, into: RunProjection): boolean {
  switch (event.type) {
    case "run.fetching":
      return fetchForRun(event, runId, into);
    case "run.fetched":
      return forgetReason(runId, into);
    case "run.described":
      return describeRun(event, runId, into);
    case "run.review-needed":
      return hasSucceeded(runId, into);
    case "run.paused":
      return pauseRun(event, runId, into);
    case "run.resumed":
      into.sql.run("UPDATE runs SET state = ?, reason = NULL WHERE run_id = ?", into.next, runId);
      return true;
    case "run.started":
      return startRun(runId, into);
    case "run.reattached":
    case "run.reviewed":
    case "run.tested":
      return true;
    case "run.steps":
      return countSteps(event, into);
    case "run.inputs":
      return recordInputs(event, runId, into);
    case "run.outputs":
      return recordOutputs(event, runId, into);
    case "run.canceling":
      return cancelRun(event, runId, into);
    case "run.ended":
      return endRun(event, runId, into);
    case "run.compared":
      return storeVerdict(event, runId, into);
    case "run.measured":
    case "run.pruning":
    case "run.pruned":
      return projectStorageEvent(event, runId, into);
  }
}

function forgetReason(runId: string, { sql }: RunProjection): boolean {
  sql.run("UPDATE runs SET reason = NULL WHERE run_id = ? AND state <> 'PAUSED'", runId);
  return true;
}

/** Describes a run in any state, because the description does not affect its execution. */
function describeRun({ data }: RunEventOf<"run.described">, runId: string, { sql }: RunProjection): boolean {
  const { name = null, note = null, tags, archived, pinned } = data;
  const describe = `UPDATE runs SET name = coalesce(?, name), note = coalesce(?, note), tags = coalesce(?, tags),
    archived = coalesce(?, archived), pinned = coalesce(?, pinned) WHERE run_id = ?`;
  sql.run(describe, name, note, jsonOrNull(tags), flag(archived), flag(pinned), runId);
  return true;
}

function flag(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}

/** A paused run only gets its start time. */
function startRun(runId: string, { sql, nowMs, next }: RunProjection): boolean {
  if (next === "PAUSED") sql.run("UPDATE runs SET started_ms = coalesce(started_ms, ?) WHERE run_id = ?", nowMs, runId);
  else sql.run("UPDATE runs SET state = ?, reason = NULL, started_ms = ? WHERE run_id = ?", next, nowMs, runId);
  return true;
}

function pauseRun({ data }: RunEventOf<"run.paused">, runId: string, { sql, next }: RunProjection): boolean {
  sql.run("UPDATE runs SET state = ?, reason = ? WHERE run_id = ?", next, JSON.stringify(data.reason), runId);
  return true;
}

const COUNT_STEP = namedStatement(
  `UPDATE steps SET jobs_total = :jobs_total, jobs_total_is_final = :jobs_total_is_final
   WHERE run_id = :run_id AND step = :step`,
);

function countSteps({ run_id, data }: RunEventOf<"run.steps">, { sql }: RunProjection): boolean {
  for (const { step, jobs_total, jobs_total_is_final } of data.steps)
    sql.write(COUNT_STEP, { jobs_total, jobs_total_is_final: Number(jobs_total_is_final), run_id, step });
  return true;
}

function recordInputs(event: RunEventOf<"run.inputs">, runId: string, { sql, nowMs }: RunProjection): boolean {
  sql.run("DELETE FROM files WHERE run_id = ? AND job_id IS NULL AND direction = 'input'", runId);
  projectFiles(sql, event, "input", event.data.files, nowMs);
  completeFiles(sql, runId, event.data.files);
  // Logs older than the field `uses` of `run.created` name these files here.
  noteForeignFiles(sql, runId, event.data.files);
  return true;
}

function recordOutputs(event: RunEventOf<"run.outputs">, runId: string, { sql, nowMs }: RunProjection): boolean {
  if (event.data.first === 0) forgetOutputs(sql, runId);
  projectFiles(sql, event, "output", event.data.files, nowMs);
  return true;
}

/** Deletes the outputs that a server recorded before it ended, because the next server records them again. */
function forgetOutputs(sql: Statements, runId: string): void {
  sql.run("DELETE FROM files WHERE run_id = ? AND job_id IS NULL AND direction = 'output'", runId);
}

function cancelRun({ actor }: NewEvent, runId: string, { sql, nowMs, next }: RunProjection): boolean {
  const abort = JSON.stringify({ requested_ms: nowMs, requested_by: actor, confirmed_ms: null });
  const cancel = `UPDATE runs SET state = ?, abort = ?, reason = CASE WHEN state = 'PAUSED' THEN NULL ELSE reason END
    WHERE run_id = ?`;
  sql.run(cancel, next, abort, runId);
  return true;
}

const CREATE_RUN = namedStatement(
  `INSERT INTO runs (run_id, state, kind, process_id, process_version, process_digest, process_label, name, owner, tags,
     options, document, document_uri, inputs, samples, retry_of, reproduces, sinks, created_ms, updated_ms, revision,
     job_counts)
   VALUES (:run_id, 'QUEUED', :kind, :process_id, :process_version, :process_digest, :process_label, :name, :owner, :tags,
     :options, :document, :document_uri, :inputs, :samples, :retry_of, :reproduces, :sinks, :now_ms, :now_ms, 1, '{}')`,
);

function createRun(event: RunEventOf<"run.created">, into: Projection): true {
  const { data } = event;
  const { sql, nowMs } = into;
  sql.write(CREATE_RUN, {
    run_id: event.run_id,
    kind: data.kind,
    process_id: data.process_id,
    process_version: data.process_version,
    process_digest: data.process_digest,
    process_label: data.process_label ?? null,
    name: data.name,
    owner: event.actor,
    tags: JSON.stringify(data.tags),
    options: JSON.stringify(data.options),
    document: data.document,
    document_uri: data.document_uri,
    inputs: data.inputs,
    samples: JSON.stringify(data.samples),
    retry_of: data.retry_of ?? null,
    reproduces: jsonOrNull(data.reproduces),
    sinks: jsonOrNull(data.sinks),
    now_ms: nowMs,
  });
  noteUses(sql, event.run_id, data.uses ?? []);
  createSteps(sql, event);
  return true;
}

const CREATE_STEP = namedStatement(
  `INSERT INTO steps (run_id, step, position, label, jobs_total, jobs_total_is_final, job_counts)
   VALUES (:run_id, :step, :position, :label, :jobs_total, :jobs_total_is_final, '{}')`,
);

function createSteps(sql: Statements, { run_id, data }: RunEventOf<"run.created">): void {
  for (const [position, { step, label = null, jobs_total, jobs_total_is_final: isFinal }] of data.steps.entries())
    sql.write(CREATE_STEP, { run_id, step, position, label, jobs_total, jobs_total_is_final: Number(isFinal) });
}

/** A resumed run is already RUNNING; one that is being aborted keeps its state. */
function fetchForRun(event: RunEventOf<"run.fetching">, runId: string, { sql, next }: RunProjection): boolean {
  if (next === "CANCELING" || next === "PAUSED") return true;
  sql.run("UPDATE runs SET state = ?, reason = ? WHERE run_id = ?", next, JSON.stringify(event.data.reason), runId);
  return true;
}

/** Keeps the first verdict. */
function storeVerdict(event: RunEventOf<"run.compared">, runId: string, { sql, nowMs }: Projection): boolean {
  if (!sql.has("SELECT 1 FROM runs WHERE run_id = ? AND reproduces IS NOT NULL AND verdict IS NULL", runId))
    return false;
  const verdict = JSON.stringify({ verdict: event.data.verdict, compared_ms: nowMs });
  sql.run("UPDATE runs SET verdict = ? WHERE run_id = ?", verdict, runId);
  return true;
}

const END_RUN = namedStatement(
  `UPDATE runs SET state = :state, outcome = :outcome, reason = :reason, outputs = :outputs, placed = :placed,
     ended_ms = :now_ms, abort = CASE WHEN abort IS NULL OR NOT json_valid(abort) THEN NULL
       ELSE json_set(abort, '$.confirmed_ms', :confirmed_ms, '$.kill', json(:kill), '$.not_started', :not_started) END
   WHERE run_id = :run_id`,
);

/** Jobs that have not ended when their run does are closed with it: nothing of a final run stays open. */
function endRun(event: RunEventOf<"run.ended">, runId: string, into: RunProjection): boolean {
  const { sql, nowMs, next } = into;
  const { outcome, reason, outputs, files, files_before: before, kill, placed = null } = event.data;
  sql.write(END_RUN, {
    state: next,
    outcome,
    reason: jsonOrNull(reason),
    outputs,
    placed,
    now_ms: nowMs,
    confirmed_ms: kill?.confirmed_ms ?? nowMs,
    kill: jsonOrNull(kill),
    not_started: countNotStarted(sql, runId),
    run_id: runId,
  });
  if (before === undefined) forgetOutputs(sql, runId);
  projectFiles(sql, event, "output", files, nowMs);
  forgetUses(sql, runId);
  closeJobs(runId, into);
  return true;
}

/** A run that has ended in another way has nothing to review. */
function hasSucceeded(runId: string, { sql }: RunProjection): boolean {
  return sql.has("SELECT 1 FROM runs WHERE run_id = ? AND outcome = 'success'", runId);
}

/** Jobs that are waiting, or were canceled before they had begun. */
function countNotStarted(sql: Statements, runId: string): number {
  return sql.number(
    "SELECT count(*) FROM jobs WHERE run_id = ? AND state IN ('QUEUED','INITIALIZING','CANCELED') AND started_ms IS NULL",
    runId,
  );
}

/** Updates all jobs in one statement, because a run may have thousands of waiting jobs. */
function closeJobs(runId: string, { sql, tally, nowMs }: Projection): void {
  const open = sql.records<{ readonly step: string; readonly from: JobState; readonly jobs: number }>(
    `SELECT step, state AS "from", count(*) AS jobs FROM jobs WHERE run_id = ? AND ${OPEN_JOB} GROUP BY step, state`,
    runId,
  );
  if (open.length === 0) return;
  const { state, phase } = CLOSED_JOB;
  const reason = JSON.stringify({ code: "ABORTED", message: "The run ended before this job did" });
  const close = `UPDATE jobs SET state = ?, phase = ?, ended_ms = ?, reason = ? WHERE run_id = ? AND ${OPEN_JOB}`;
  sql.run(close, state, phase, nowMs, reason, runId);
  for (const { step, ...moved } of open) tally.moveJobs(runId, step, { ...moved, to: state });
}

const OPEN_JOB = "state IN ('QUEUED','INITIALIZING','RUNNING','CANCELING')";
