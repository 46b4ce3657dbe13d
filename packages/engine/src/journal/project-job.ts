import { foldJob, QUEUED_JOB, type JobPhase, type JobProgress } from "@weft/shared/fold/fold-job.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import type { RecordedCache, ReusableResult } from "@weft/shared/events/job-events.ts";
import type { NewEvent } from "./journal-event.ts";
import type { FeatureFolds } from "./log-feature.ts";
import { projectFiles } from "./project-files.ts";
import { noteForeignFiles } from "./project-storage.ts";
import type { RunTally } from "./run-tally.ts";
import { jsonOrNull, namedStatement, type Row, type Statements } from "./statements.ts";

type JobEvent = Extract<NewEvent, { type: `job.${string}` }>;
type JobEventOf<Type extends JobEvent["type"]> = Extract<JobEvent, { type: Type }>;

export function isJobEvent(event: NewEvent): event is JobEvent {
  return event.type.startsWith("job.");
}

/** Targets and time of a projection. */
export interface Projection {
  readonly sql: Statements;
  readonly tally: RunTally;
  readonly nowMs: number;
  /** Number that the event gets in this log; undefined for an event of an imported run, which this log does not have. */
  readonly seq: number | undefined;
  readonly features: FeatureFolds;
}

/** Folds an event of a job into its row and the counters; false if the job (or its run) has already ended. */
export function projectJobEvent(event: JobEvent, runIsFinal: boolean, into: Projection): boolean {
  const { sql, tally, nowMs } = into;
  if (event.type === "job.late") return true;
  if (runIsFinal) return false;
  if (event.type === "job.queued") {
    queueJob(sql, event, nowMs);
    tally.moveJob(event.run_id, event.step ?? "", { from: undefined, to: QUEUED_JOB.state });
    return true;
  }
  if (event.type === "job.killed") return noteKill(sql, event);
  const row = sql.get(PROGRESS, event.run_id, event.job_id);
  if (row === undefined) throw new Error(`event ${event.type} of an unknown job ${event.job_id}`);
  const job = progressOf(row);
  if (isFinal(job.state)) return false;
  const next = foldJob(job, event, nowMs);
  if (next !== job) applyToJob(event, next, into);
  if (next.state !== job.state) tally.moveJob(event.run_id, String(row["step"]), { from: job.state, to: next.state });
  return true;
}

const PROGRESS = "SELECT state, phase, step, attempt, started_ms FROM jobs WHERE run_id = ? AND job_id = ?";

/** The columns that the fold reads. The casts are safe because this file alone writes them. */
function progressOf(row: Row): JobProgress {
  const startedMs = row["started_ms"] === null ? undefined : Number(row["started_ms"]);
  const [state, phase] = [row["state"] as JobState, row["phase"] as JobPhase];
  return { state, phase, attempt: Number(row["attempt"]), startedMs, endedMs: undefined };
}

const QUEUE_JOB = namedStatement(
  `INSERT INTO jobs (run_id, job_id, n, call_id, step, sample_id, scatter_index, tool, state, phase, attempt, queued_ms)
   VALUES (:run_id, :job_id, :n, :call_id, :step, :sample_id, :scatter_index, :tool, :state, :phase, :attempt, :now_ms)`,
);

function queueJob(sql: Statements, event: JobEventOf<"job.queued">, nowMs: number): void {
  const { n, call_id, scatter_index, tool } = event.data;
  sql.write(QUEUE_JOB, {
    run_id: event.run_id,
    job_id: event.job_id,
    n,
    call_id,
    step: event.step ?? "",
    sample_id: event.sample_id ?? null,
    scatter_index: JSON.stringify(scatter_index),
    tool: JSON.stringify(tool),
    state: QUEUED_JOB.state,
    phase: QUEUED_JOB.phase,
    attempt: QUEUED_JOB.attempt,
    now_ms: nowMs,
  });
}

/** Writes the row of a job that the event has brought to `next`. */
function applyToJob(
  event: Exclude<JobEvent, { type: "job.queued" | "job.late" | "job.killed" }>,
  next: JobProgress,
  into: Projection,
): void {
  switch (event.type) {
    case "job.image":
    case "job.fetching":
      return stageJob(event, next, into);
    case "job.started":
      return startJob(event, next, into);
    case "job.running":
      return noteRunning(event, next, into);
    case "job.exited":
      return noteExit(event, next, into);
    case "job.retrying":
      return waitAgain(event, next, into);
    case "job.ended":
      return endJob(event, next, into);
  }
}

const STAGE_JOB = namedStatement(
  "UPDATE jobs SET state = :state, phase = :phase, reason = :reason WHERE run_id = :run_id AND job_id = :job_id",
);

type Staging = JobEventOf<"job.image" | "job.fetching">;

function stageJob({ run_id, job_id, data }: Staging, next: JobProgress, { sql }: Projection): void {
  sql.write(STAGE_JOB, { ...stateOf(next), reason: jsonOrNull(data.reason), run_id, job_id });
}

function stateOf({ state, phase }: JobProgress): { readonly state: JobState; readonly phase: JobPhase | null } {
  return { state, phase: phase ?? null };
}

const START_JOB = namedStatement(
  `UPDATE jobs SET state = :state, phase = :phase, reason = NULL, attempt = :attempt, command = :command,
     cores = :cores, ram_bytes = :ram_bytes, backend = :backend, inputs = :inputs, started_ms = :started_ms,
     container = :container, sandbox = :sandbox, cache = :cache, started_seq = :started_seq, retry_ms = NULL
   WHERE run_id = :run_id AND job_id = :job_id`,
);

function startJob(event: JobEventOf<"job.started">, next: JobProgress, { sql, nowMs, seq }: Projection): void {
  const { run_id, job_id } = event;
  const { command, cores, ram_bytes, backend, inputs, files, container, sandbox, cache } = event.data;
  sql.write(START_JOB, {
    ...stateOf(next),
    attempt: next.attempt,
    command: jsonOrNull(command),
    cores,
    ram_bytes,
    backend,
    inputs,
    started_ms: next.startedMs ?? null,
    container: jsonOrNull(container),
    sandbox: jsonOrNull(sandbox),
    cache: jsonOrNull(cache),
    started_seq: seq ?? null,
    run_id,
    job_id,
  });
  if (cache !== undefined) projectDecision(sql, event, cache);
  // A later attempt reads the same files again: they are recorded once.
  sql.run("DELETE FROM files WHERE run_id = ? AND job_id = ? AND direction = 'input'", run_id, job_id);
  projectFiles(sql, event, "input", files, nowMs);
}

const NOTE_RUNNING = namedStatement(
  `UPDATE jobs SET state = :state, phase = :phase, native_id = :native_id, started_ms = :started_ms
   WHERE run_id = :run_id AND job_id = :job_id`,
);

function noteRunning(event: JobEventOf<"job.running">, next: JobProgress, { sql }: Projection): void {
  const { run_id, job_id, data } = event;
  const { native_id } = data;
  sql.write(NOTE_RUNNING, { ...stateOf(next), native_id, started_ms: next.startedMs ?? null, run_id, job_id });
}

const NOTE_EXIT = namedStatement(
  `UPDATE jobs SET phase = :phase, exit_code = :exit_code, signal = :signal
   WHERE run_id = :run_id AND job_id = :job_id`,
);

function noteExit(event: JobEventOf<"job.exited">, next: JobProgress, { sql }: Projection): void {
  const { run_id, job_id, data } = event;
  sql.write(NOTE_EXIT, { phase: next.phase ?? null, exit_code: data.exit_code, signal: data.signal, run_id, job_id });
}

const NOTE_KILL = namedStatement(
  "UPDATE jobs SET kill = :kill WHERE run_id = :run_id AND job_id = :job_id AND attempt = :attempt",
);

/** A fact about a job that may have ended; changes no state. */
function noteKill(sql: Statements, { run_id, job_id, data }: JobEventOf<"job.killed">): boolean {
  const { attempt, ...kill } = data;
  sql.write(NOTE_KILL, { kill: JSON.stringify(kill), run_id, job_id, attempt });
  return true;
}

const WAIT_AGAIN = namedStatement(
  `UPDATE jobs SET state = :state, phase = :phase, reason = :reason, attempt = :attempt, retry_ms = :retry_ms,
     attempts = json_insert(iif(json_valid(attempts), attempts, '[]'), '$[#]',
       json_set(:ended, '$.started_ms', coalesce(started_ms, :since_ms), '$.ram_bytes', ram_bytes)),
     exit_code = NULL, signal = NULL, native_id = NULL, started_ms = NULL, kill = NULL
   WHERE run_id = :run_id AND job_id = :job_id`,
);

/** Resets the job to queued, except for its number and the results of its attempts. */
function waitAgain(event: JobEventOf<"job.retrying">, next: JobProgress, { sql, nowMs }: Projection): void {
  const { run_id, job_id, data } = event;
  const { stderr_tail: _, delay_ms, waiting, ran_ms, ...attempted } = data;
  sql.write(WAIT_AGAIN, {
    ...stateOf(next),
    reason: JSON.stringify(waiting),
    attempt: next.attempt,
    retry_ms: nowMs + delay_ms,
    ended: JSON.stringify({ ...attempted, ended_ms: nowMs }),
    since_ms: ran_ms === undefined ? null : nowMs - ran_ms,
    run_id,
    job_id,
  });
}

const END_JOB = namedStatement(
  `UPDATE jobs SET state = :state, phase = :phase, reason = :reason, exit_code = :exit_code, signal = :signal,
     outputs = :outputs, cpu_ms = :cpu_ms, max_rss_bytes = :max_rss_bytes, memory_source = :memory_source,
     io_read_bytes = :io_read_bytes, io_write_bytes = :io_write_bytes, stderr_tail = :stderr_tail, kill = :kill,
     started_ms = :started_ms, ended_ms = :ended_ms,
     -- A row of more than 1,000 bytes takes a page of its own. What the start of the job says at length is read from there
     -- (rows.ts), except for what queries look for: reused results, and logs that tools named themselves.
     command = CASE WHEN started_seq IS NULL OR NOT json_valid(command) THEN command
       WHEN command ->> '$.stderr' LIKE '%/out/%' THEN command END,
     cache = CASE WHEN started_seq IS NULL OR :keeps_cache OR NOT json_valid(cache) THEN cache
       WHEN cache ->> '$.decision' <> 'miss' THEN cache END
   WHERE run_id = :run_id AND job_id = :job_id`,
);

function endJob(event: JobEventOf<"job.ended">, next: JobProgress, { sql, nowMs }: Projection): void {
  const { run_id, job_id, data } = event;
  sql.write(END_JOB, {
    ...stateOf(next),
    reason: jsonOrNull(data.reason),
    exit_code: data.exit_code,
    signal: data.signal,
    outputs: data.outputs,
    cpu_ms: data.cpu_ms,
    max_rss_bytes: data.max_rss_bytes,
    memory_source: data.memory_source ?? null,
    io_read_bytes: data.io_read_bytes ?? null,
    io_write_bytes: data.io_write_bytes ?? null,
    stderr_tail: data.stderr_tail ?? null,
    kill: jsonOrNull(data.kill),
    // Why the result is not kept is added there.
    keeps_cache: Number(typeof data.reusable === "string"),
    started_ms: next.startedMs ?? null,
    ended_ms: next.endedMs ?? null,
    run_id,
    job_id,
  });
  projectFiles(sql, event, "output", data.files, nowMs);
  if (data.reusable !== undefined) projectResult(sql, event, data.reusable);
  noteForeignFiles(sql, run_id, data.files);
}

/** Updates the cache decision of a started job: the newest of its element, and the counter of cache hits. */
function projectDecision(sql: Statements, event: NewEvent, { decision, parts }: RecordedCache): void {
  const runId = event.run_id;
  if (decision === "hit") {
    sql.run("UPDATE runs SET jobs_cached = jobs_cached + 1 WHERE run_id = ?", runId);
    sql.run("UPDATE steps SET jobs_cached = jobs_cached + 1 WHERE run_id = ? AND step = ?", runId, event.step ?? "");
  }
  if (parts === undefined) return;
  sql.run(NOTE_LATEST, runId, event.job_id ?? null);
}

const NOTE_LATEST = `INSERT OR REPLACE INTO latest_jobs (process_id, kind, step, element, run_id, job_id)
  SELECT process_id, kind, step, coalesce(sample_id, scatter_index), run_id, job_id
  FROM jobs JOIN runs USING (run_id) WHERE run_id = ? AND job_id = ?`;

/** Keeps the result of an ended job for reuse, or why it cannot be reused. */
function projectResult(sql: Statements, event: NewEvent, result: ReusableResult | string): void {
  const key = [event.run_id, event.job_id ?? null] as const;
  if (typeof result === "string")
    sql.run("UPDATE jobs SET cache = json_set(cache, '$.not_kept', ?) WHERE run_id = ? AND job_id = ?", result, ...key);
  else sql.run(KEEP_RESULT, ...key, result.key, JSON.stringify(result.outputs));
}

const KEEP_RESULT = "INSERT OR REPLACE INTO reusable (run_id, job_id, key, outputs) VALUES (?,?,?,?)";
