import { isFinal } from "@weft/shared/records/state-names.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import type { NewEvent } from "./journal-event.ts";
import { projectDecision, projectResult } from "./project-cache.ts";
import { projectFiles } from "./project-files.ts";
import { noteForeignFiles } from "./project-storage.ts";
import type { RunTally } from "./run-tally.ts";
import type { Statements } from "./statements.ts";

type JobEvent = Extract<NewEvent, { type: `job.${string}` }>;

/** Where projections are written. */
export interface Projection {
  readonly sql: Statements;
  readonly tally: RunTally;
  readonly nowMs: number;
}

/** Folds an event of a job into its row and the counters; false when the job (or its run) has ended already. */
export function projectJobEvent(event: JobEvent, runIsFinal: boolean, into: Projection): boolean {
  const { sql, tally, nowMs } = into;
  if (event.type === "job.late") return true;
  if (runIsFinal) return false;
  if (event.type === "job.queued") {
    queueJob(sql, event, nowMs);
    tally.moveJob(event.run_id, event.step ?? "", { from: undefined, to: "QUEUED" });
    return true;
  }
  if (event.type === "job.killed") return noteKill(sql, event);
  const row = sql.get("SELECT state, step FROM jobs WHERE run_id = ? AND job_id = ?", event.run_id, event.job_id);
  if (row === undefined) throw new Error(`event ${event.type} of an unknown job ${event.job_id}`);
  const from = row["state"] as JobState; // written by this file alone
  if (isFinal(from)) return false;
  const to = applyToJob(sql, event, from, nowMs);
  if (to !== from) tally.moveJob(event.run_id, String(row["step"]), { from, to });
  return true;
}

function queueJob(sql: Statements, event: Extract<NewEvent, { type: "job.queued" }>, nowMs: number): void {
  const { data } = event;
  sql.run(
    `INSERT INTO jobs (run_id, job_id, n, call_id, step, sample_id, scatter_index, tool, state, phase, attempt, queued_ms)
     VALUES (?,?,?,?,?,?,?,?, 'QUEUED', 'waiting', 1, ?)`,
    event.run_id,
    event.job_id,
    data.n,
    data.call_id,
    event.step ?? "",
    event.sample_id ?? null,
    JSON.stringify(data.scatter_index),
    JSON.stringify(data.tool),
    nowMs,
  );
}

/** Writes the row and answers the state that the job has now. */
function applyToJob(
  sql: Statements,
  event: Exclude<JobEvent, { type: "job.queued" | "job.late" | "job.killed" }>,
  from: JobState,
  nowMs: number,
): JobState {
  const key = [event.run_id, event.job_id] as const;
  switch (event.type) {
    case "job.image":
      sql.run(
        "UPDATE jobs SET state = 'INITIALIZING', phase = 'staging', reason = ? WHERE run_id = ? AND job_id = ?",
        event.data.reason === undefined ? null : JSON.stringify(event.data.reason),
        ...key,
      );
      return "INITIALIZING";
    case "job.fetching":
      sql.run(
        "UPDATE jobs SET state = 'INITIALIZING', phase = 'staging', reason = ? WHERE run_id = ? AND job_id = ?",
        JSON.stringify(event.data.reason),
        ...key,
      );
      return "INITIALIZING";
    case "job.started": {
      const { attempt, command, cores, ram_bytes, backend, inputs, files, container, sandbox, cache } = event.data;
      sql.run(
        `UPDATE jobs SET state = 'INITIALIZING', phase = 'staging', reason = NULL, attempt = ?, command = ?, cores = ?,
           ram_bytes = ?, backend = ?, inputs = ?, started_ms = ?, container = ?, sandbox = ?, cache = ?, retry_ms = NULL WHERE run_id = ? AND job_id = ?`,
        attempt,
        command === null ? null : JSON.stringify(command),
        cores,
        ram_bytes,
        backend,
        inputs,
        nowMs,
        container === undefined ? null : JSON.stringify(container),
        sandbox === undefined ? null : JSON.stringify(sandbox),
        cache === undefined ? null : JSON.stringify(cache),
        ...key,
      );
      if (cache !== undefined) projectDecision(sql, event, cache);
      // A later attempt reads the same files again: they are recorded once.
      sql.run("DELETE FROM files WHERE run_id = ? AND job_id = ? AND direction = 'input'", ...key);
      projectFiles(sql, event, "input", files, nowMs);
      return "INITIALIZING";
    }
    case "job.running":
      // Of an attempt that has been given up meanwhile.
      if (from === "QUEUED") return from;
      sql.run(
        "UPDATE jobs SET state = 'RUNNING', phase = 'running', native_id = ? WHERE run_id = ? AND job_id = ?",
        event.data.native_id,
        ...key,
      );
      return "RUNNING";
    case "job.exited":
      if (from === "QUEUED") return from;
      sql.run(
        "UPDATE jobs SET phase = 'collecting', exit_code = ?, signal = ? WHERE run_id = ? AND job_id = ?",
        event.data.exit_code,
        event.data.signal,
        ...key,
      );
      return from;
    case "job.retrying":
      waitAgain(sql, event, nowMs);
      return "QUEUED";
    case "job.ended":
      endJob(sql, event, nowMs);
      return event.data.state;
  }
}

/** A fact about a job that may have ended; it moves no state. */
function noteKill(sql: Statements, event: Extract<NewEvent, { type: "job.killed" }>): boolean {
  const { attempt, ...kill } = event.data;
  sql.run(
    "UPDATE jobs SET kill = ? WHERE run_id = ? AND job_id = ? AND attempt = ?",
    JSON.stringify(kill),
    event.run_id,
    event.job_id,
    attempt,
  );
  return true;
}

/** The job is as if it had just been queued, but for its number and what became of the attempts so far. */
function waitAgain(sql: Statements, event: Extract<NewEvent, { type: "job.retrying" }>, nowMs: number): void {
  const { stderr_tail: _, delay_ms, waiting, ...attempted } = event.data;
  const ended = { ...attempted, ended_ms: nowMs };
  sql.run(
    `UPDATE jobs SET state = 'QUEUED', phase = 'waiting', reason = ?, attempt = ?, retry_ms = ?,
       attempts = json_insert(iif(json_valid(attempts), attempts, '[]'), '$[#]', json_set(?, '$.started_ms', started_ms, '$.ram_bytes', ram_bytes)),
       exit_code = NULL, signal = NULL, native_id = NULL, started_ms = NULL, kill = NULL
     WHERE run_id = ? AND job_id = ?`,
    JSON.stringify(waiting),
    attempted.attempt + 1,
    nowMs + delay_ms,
    JSON.stringify(ended),
    event.run_id,
    event.job_id,
  );
}

function endJob(sql: Statements, event: Extract<NewEvent, { type: "job.ended" }>, nowMs: number): void {
  const { data } = event;
  sql.run(
    `UPDATE jobs SET state = ?, phase = 'ended', reason = ?, exit_code = ?, signal = ?, outputs = ?, cpu_ms = ?,
       max_rss_bytes = ?, memory_source = ?, io_read_bytes = ?, io_write_bytes = ?, stderr_tail = ?, kill = ?, ended_ms = ? WHERE run_id = ? AND job_id = ?`,
    data.state,
    data.reason === null ? null : JSON.stringify(data.reason),
    data.exit_code,
    data.signal,
    data.outputs,
    data.cpu_ms,
    data.max_rss_bytes,
    data.memory_source ?? null,
    data.io_read_bytes ?? null,
    data.io_write_bytes ?? null,
    data.stderr_tail ?? null,
    data.kill === undefined ? null : JSON.stringify(data.kill),
    nowMs,
    event.run_id,
    event.job_id,
  );
  projectFiles(sql, event, "output", data.files, nowMs);
  if (data.reusable !== undefined) projectResult(sql, event, data.reusable);
  noteForeignFiles(sql, event.run_id, data.files);
}
