import { isFinal } from "@weft/shared/records/state-names.ts";
import type { JobState, RunState } from "@weft/shared/records/state.ts";
import type { NewEvent } from "./journal-event.ts";
import { completeFiles, projectFiles } from "./project-files.ts";
import { importRun } from "./project-import.ts";
import { projectJobEvent } from "./project-job.ts";
import type { Projection } from "./project-job.ts";
import { canUse, forgetUses, noteUses, projectStorageEvent, projectUploadPruned } from "./project-storage.ts";
import { pauseRun, resumeRun } from "./project-pause.ts";
import type { Statements } from "./statements.ts";

/** Folds one event into the projections. False: the event comes too late and must not be recorded. */
export function projectEvent(event: NewEvent, into: Projection): boolean {
  const { run_id: runId } = event;
  if (event.type === "upload.pruned") return projectUploadPruned(event, into);
  if (runId === null) return true;
  if (event.type === "run.created") return createRun(into.sql, event, into.nowMs);
  if (event.type === "run.imported") return importRun(event, into, projectEvent);
  const state = into.tally.stateOf(runId);
  if (state === undefined) throw new Error(`event ${event.type} of an unknown run ${runId}`);
  if (!applyToRun(event, runId, { ...into, state })) return false;
  into.tally.countEvent(runId);
  return true;
}

/** A projection, and the state in which an event finds its run. */
interface RunProjection extends Projection {
  readonly state: RunState;
}

function applyToRun(event: NewEvent, runId: string, into: RunProjection): boolean {
  const { sql, tally, nowMs, state } = into;
  switch (event.type) {
    case "run.fetching":
      return isFinal(state) ? false : fetchForRun(event, runId, into);
    case "run.fetched":
      if (isFinal(state)) return false;
      sql.run("UPDATE runs SET reason = NULL WHERE run_id = ? AND state <> 'PAUSED'", runId);
      return true;
    case "run.paused":
      return pauseRun(runId, event.data.reason, into);
    case "run.resumed":
      return resumeRun(runId, into);
    case "run.started":
      if (state === "PAUSED") {
        sql.run("UPDATE runs SET started_ms = coalesce(started_ms, ?) WHERE run_id = ?", nowMs, runId);
        return true;
      }
      if (state !== "QUEUED" && state !== "INITIALIZING") return false;
      sql.run("UPDATE runs SET state = 'RUNNING', reason = NULL, started_ms = ? WHERE run_id = ?", nowMs, runId);
      tally.setState(runId, "RUNNING");
      return true;
    case "run.reattached":
      return !isFinal(state);
    case "run.steps":
      for (const step of event.data.steps) {
        sql.run(
          "UPDATE steps SET jobs_total = ?, jobs_total_is_final = ? WHERE run_id = ? AND step = ?",
          step.jobs_total,
          step.jobs_total_is_final ? 1 : 0,
          event.run_id,
          step.step,
        );
      }
      return true;
    case "run.inputs":
      sql.run("DELETE FROM files WHERE run_id = ? AND job_id IS NULL AND direction = 'input'", event.run_id);
      projectFiles(sql, event, "input", event.data.files, nowMs);
      completeFiles(sql, runId, event.data.files);
      return true;
    case "run.canceling":
      if (isFinal(state) || state === "CANCELING") return false;
      sql.run(
        `UPDATE runs SET state = 'CANCELING', abort = ?, reason = CASE WHEN state = 'PAUSED' THEN NULL ELSE reason END
           WHERE run_id = ?`,
        JSON.stringify({ requested_ms: nowMs, requested_by: event.actor, confirmed_ms: null }),
        event.run_id,
      );
      tally.setState(runId, "CANCELING");
      return true;
    case "run.ended":
      return isFinal(state) ? false : endRun(event, runId, into);
    case "run.compared":
      return isFinal(state) ? storeVerdict(event, runId, into) : false;
    case "run.measured":
    case "run.pruning":
    case "run.pruned":
      return isFinal(state) && projectStorageEvent(event, runId, into);
    case "job.queued":
    case "job.image":
    case "job.fetching":
    case "job.started":
    case "job.running":
    case "job.exited":
    case "job.retrying":
    case "job.ended":
    case "job.late":
    case "job.killed":
      return projectJobEvent(event, isFinal(state), into);
    case "run.created":
    case "run.imported":
    case "upload.pruned":
    case "catalog.changed":
    case "server.started":
    case "server.stopping":
      return true;
  }
}

function createRun(sql: Statements, event: Extract<NewEvent, { type: "run.created" }>, nowMs: number): boolean {
  const { data } = event;
  if (!canUse(sql, data.uses ?? [])) return false;
  if (data.idempotency !== undefined && !claimKey(sql, event, data.idempotency, nowMs)) return false;
  sql.run(
    `INSERT INTO runs (run_id, state, kind, process_id, process_version, process_digest, process_label, name, owner, tags,
       options, document, document_uri, inputs, samples, retry_of, reproduces, sinks, created_ms, updated_ms, revision,
       job_counts)
     VALUES (?, 'QUEUED', ?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?, 1, '{}')`,
    event.run_id,
    data.kind,
    data.process_id,
    data.process_version,
    data.process_digest,
    data.process_label ?? null,
    data.name,
    event.actor,
    JSON.stringify(data.tags),
    JSON.stringify(data.options),
    data.document,
    data.document_uri,
    data.inputs,
    JSON.stringify(data.samples),
    data.retry_of ?? null,
    data.reproduces === undefined ? null : JSON.stringify(data.reproduces),
    data.sinks === undefined ? null : JSON.stringify(data.sinks),
    nowMs,
    nowMs,
  );
  noteUses(sql, event.run_id, data.uses ?? []);
  data.steps.forEach((step, position) =>
    sql.run(
      "INSERT INTO steps (run_id, step, position, label, jobs_total, jobs_total_is_final, job_counts) VALUES (?,?,?,?,?,?,'{}')",
      event.run_id,
      step.step,
      position,
      step.label ?? null,
      step.jobs_total,
      step.jobs_total_is_final ? 1 : 0,
    ),
  );
  return true;
}

/** A run that was taken up again is RUNNING already; one that is being stopped stays what it is. */
function fetchForRun(event: Extract<NewEvent, { type: "run.fetching" }>, runId: string, into: RunProjection): boolean {
  const { sql, tally } = into;
  if (into.state === "CANCELING" || into.state === "PAUSED") return true;
  const state = into.state === "QUEUED" ? "INITIALIZING" : into.state;
  sql.run("UPDATE runs SET state = ?, reason = ? WHERE run_id = ?", state, JSON.stringify(event.data.reason), runId);
  tally.setState(runId, state);
  return true;
}

/** How long a key stands for its run; after that it is free again. */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000;

/** False where the key is taken: the caller then answers with the run that has it. */
function claimKey(
  sql: Statements,
  event: NewEvent,
  idempotency: { key: string; body_digest: string },
  nowMs: number,
): boolean {
  sql.run(
    "DELETE FROM idempotency WHERE principal = ? AND key = ? AND created_ms <= ?",
    event.actor,
    idempotency.key,
    nowMs - KEY_LIFE_MS,
  );
  if (sql.get("SELECT 1 FROM idempotency WHERE principal = ? AND key = ?", event.actor, idempotency.key) !== undefined)
    return false;
  sql.run(
    "INSERT INTO idempotency (principal, key, body_digest, run_id, created_ms) VALUES (?,?,?,?,?)",
    event.actor,
    idempotency.key,
    idempotency.body_digest,
    event.run_id,
    nowMs,
  );
  return true;
}

/** The first verdict stands. */
function storeVerdict(
  event: Extract<NewEvent, { type: "run.compared" }>,
  runId: string,
  { sql, nowMs }: Projection,
): boolean {
  const open = sql.get("SELECT 1 FROM runs WHERE run_id = ? AND reproduces IS NOT NULL AND verdict IS NULL", runId);
  if (open === undefined) return false;
  const verdict = JSON.stringify({ verdict: event.data.verdict, compared_ms: nowMs });
  sql.run("UPDATE runs SET verdict = ? WHERE run_id = ?", verdict, runId);
  return true;
}

/** Jobs that have not ended when their run does are closed with it: nothing of a final run is left open. */
function endRun(event: Extract<NewEvent, { type: "run.ended" }>, runId: string, into: Projection): boolean {
  const { sql, tally, nowMs } = into;
  const { state, outcome, reason, outputs, files, kill, placed = null } = event.data;
  sql.run(
    `UPDATE runs SET state = ?, outcome = ?, reason = ?, outputs = ?, placed = ?, ended_ms = ?,
       abort = CASE WHEN abort IS NULL OR NOT json_valid(abort) THEN NULL
         ELSE json_set(abort, '$.confirmed_ms', ?, '$.kill', json(?), '$.not_started', ?) END
     WHERE run_id = ?`,
    state,
    outcome,
    reason === null ? null : JSON.stringify(reason),
    outputs,
    placed,
    nowMs,
    kill?.confirmed_ms ?? nowMs,
    kill === undefined ? null : JSON.stringify(kill),
    countNotStarted(sql, runId),
    runId,
  );
  tally.setState(runId, state);
  projectFiles(sql, event, "output", files, nowMs);
  forgetUses(sql, runId);
  closeJobs(runId, into);
  return true;
}

/** Jobs that wait now, or were told to end before they had begun. */
function countNotStarted(sql: Statements, runId: string): number {
  const row = sql.get(
    "SELECT count(*) AS count FROM jobs WHERE run_id = ? AND state IN ('QUEUED','INITIALIZING','CANCELED') AND started_ms IS NULL",
    runId,
  );
  return Number(row?.["count"] ?? 0);
}

/** Updates all jobs at once, because a run may have thousands of waiting jobs. */
function closeJobs(runId: string, { sql, tally, nowMs }: Projection): void {
  const open = sql.all(
    `SELECT step, state, count(*) AS jobs FROM jobs WHERE run_id = ? AND ${OPEN_JOB} GROUP BY step, state`,
    runId,
  );
  if (open.length === 0) return;
  const reason = JSON.stringify({ code: "ABORTED", message: "The run ended before this job did" });
  sql.run(
    `UPDATE jobs SET state = 'CANCELED', phase = 'ended', ended_ms = ?, reason = ? WHERE run_id = ? AND ${OPEN_JOB}`,
    nowMs,
    reason,
    runId,
  );
  for (const { step, state, jobs } of open)
    tally.moveJobs(runId, String(step), { from: state as JobState, to: "CANCELED", jobs: Number(jobs) }); // written by us
}

const OPEN_JOB = "state IN ('QUEUED','INITIALIZING','RUNNING','CANCELING')";
