import type { JobPhase } from "@weft/shared/fold/fold-job.ts";
import type { RecordedCache } from "@weft/shared/events/job-events.ts";
import type { Tolerance, Verdict } from "@weft/shared/records/comparison-record.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import type { Command, JobTool, ResourcesUsed } from "@weft/shared/records/job-record.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import type { JobCounts, JobState, Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";
import type { EventData } from "@weft/shared/events/event.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import { RowReader } from "./row-reader.ts";
import type { Row, Statements } from "./statements.ts";

// Each function is the table of one projection: its fields, their columns and types. The record types derive from them.
// The casts are safe because only this folder writes the projections, from values of these types.

export function toRunRow(row: Row) {
  const columns = new RowReader(row);
  return {
    runId: columns.text("run_id"),
    state: columns.text("state") as RunState,
    outcome: columns.textOrNull("outcome") as Outcome | null,
    reason: columns.json<StateReason | null>("reason", null),
    kind: columns.text("kind") as "network" | "tool",
    processId: columns.text("process_id"),
    processVersion: columns.textOrNull("process_version"),
    processDigest: columns.text("process_digest"),
    processLabel: columns.textOrNull("process_label"),
    name: columns.text("name"),
    owner: columns.text("owner"),
    tags: columns.json<Readonly<Record<string, string>>>("tags", {}),
    note: columns.textOrNull("note") ?? "",
    archived: columns.number("archived") === 1,
    pinned: columns.number("pinned") === 1,
    options: columns.json<RunOptions>("options", {}),
    /** Blob digest, like `inputs`, `outputs` and `placed`. */
    document: columns.text("document"),
    documentUri: columns.text("document_uri"),
    inputs: columns.text("inputs"),
    samples: columns.json<Readonly<Record<string, readonly string[]>>>("samples", {}),
    sinks: columns.json<Readonly<Record<string, string>>>("sinks", {}),
    outputs: columns.textOrNull("outputs"),
    placed: columns.textOrNull("placed"),
    createdMs: columns.number("created_ms"),
    startedMs: columns.numberOrNull("started_ms"),
    endedMs: columns.numberOrNull("ended_ms"),
    updatedMs: columns.number("updated_ms"),
    revision: columns.number("revision"),
    jobCounts: columns.json<JobCounts>("job_counts", {}),
    /** Number of jobs in all steps, as far as known. */
    jobsTotal: columns.number("jobs_total"),
    /** Also true for a run without steps. */
    jobsTotalIsFinal: columns.numberOrNull("jobs_total_is_final") !== 0,
    abort: columns.json<AbortOfRow | null>("abort", null),
    retryOf: columns.textOrNull("retry_of"),
    jobsCached: columns.number("jobs_cached"),
    /** The run that this one retries. */
    reproduces: columns.json<{ readonly run_id: string; readonly tolerance: Tolerance } | null>("reproduces", null),
    /** The result of comparing the two; null before the comparison. */
    verdict: columns.json<{ readonly verdict: Verdict; readonly compared_ms: number } | null>("verdict", null),
    /** The origin of an imported run, and the user who imported it. */
    imported: columns.json<ImportOfRow | null>("imported", null),
    /** Columns that can no longer be read; they have neutral values here. */
    damaged: columns.damaged,
  };
}

/** A run in the projections. Times in milliseconds since 1970. */
export type RunRow = Readonly<ReturnType<typeof toRunRow>>;

interface AbortOfRow {
  readonly requested_ms: number;
  readonly requested_by: string;
  readonly confirmed_ms: number | null;
  /** Absent until the run has ended, and in logs of earlier servers. */
  readonly kill?: RecordedKill | null;
  /** Jobs that never started; absent like the report. */
  readonly not_started?: number;
}

export type ImportOfRow = Pick<
  EventData<"run.imported">,
  "made_as" | "made_by" | "made_at" | "crate_sha256" | "foreign"
> & {
  readonly imported_by: string;
  readonly imported_ms: number;
};

export function toStepRow(row: Row) {
  const columns = new RowReader(row);
  return {
    step: columns.text("step"),
    label: columns.textOrNull("label"),
    jobsTotal: columns.number("jobs_total"),
    jobsTotalIsFinal: columns.number("jobs_total_is_final") === 1,
    jobCounts: columns.json<JobCounts>("job_counts", {}),
    jobsCached: columns.number("jobs_cached"),
  };
}

export type StepRow = Readonly<ReturnType<typeof toStepRow>>;

/** An attempt of a job: the current one in the columns of the job's row, earlier ones as objects in its column `attempts`. */
function toAttemptRow(columns: RowReader) {
  return {
    attempt: columns.number("attempt"),
    state: columns.text("state") as JobState,
    reason: columns.json<StateReason | null>("reason", null),
    exitCode: columns.numberOrNull("exit_code"),
    signal: columns.numberOrNull("signal"),
    startedMs: columns.numberOrNull("started_ms"),
    endedMs: columns.numberOrNull("ended_ms"),
    ramBytes: columns.numberOrNull("ram_bytes"),
    cpuMs: columns.numberOrNull("cpu_ms"),
    maxRssBytes: columns.numberOrNull("max_rss_bytes"),
    memorySource: columns.textOrNull("memory_source") as ResourcesUsed["memory_source"],
    ioReadBytes: columns.numberOrNull("io_read_bytes"),
    ioWriteBytes: columns.numberOrNull("io_write_bytes"),
    /** How Weft ended the attempt. */
    kill: columns.json<RecordedKill | null>("kill", null),
  };
}

/** Times in milliseconds since 1970. */
export type AttemptRow = Readonly<ReturnType<typeof toAttemptRow>>;

/** A failed attempt that another one follows. */
export type FailedAttempt = AttemptRow & { readonly reason: StateReason; readonly endedMs: number };

function toJobRow(row: Row) {
  const columns = new RowReader(row);
  return {
    ...toAttemptRow(columns),
    runId: columns.text("run_id"),
    jobId: columns.text("job_id"),
    n: columns.number("n"),
    callId: columns.text("call_id"),
    step: columns.text("step"),
    sampleId: columns.textOrNull("sample_id"),
    scatterIndex: columns.json<readonly number[]>("scatter_index", []),
    tool: columns.json<JobTool>("tool", { id: null, version: null, class: "CommandLineTool" }),
    phase: columns.text("phase") as JobPhase,
    queuedMs: columns.number("queued_ms"),
    command: columns.json<Command | null>("command", null),
    cores: columns.numberOrNull("cores"),
    backend: columns.textOrNull("backend"),
    nativeId: columns.textOrNull("native_id"),
    /** Blob digest, like `outputs`. */
    inputs: columns.textOrNull("inputs"),
    outputs: columns.textOrNull("outputs"),
    stderrTail: columns.textOrNull("stderr_tail"),
    container: columns.json<JobContainer | null>("container", null),
    /** The sandbox; null for a job in a container, on another backend, or of an older Weft. */
    sandbox: columns.json<JobSandbox | null>("sandbox", null),
    /** All attempts before the current one, in order. */
    attempts: columns
      .json<readonly Row[]>("attempts", [])
      .map((entry) => toAttemptRow(new RowReader(entry)) as FailedAttempt),
    /** The time at which the next attempt is due, while the job waits for it. */
    retryMs: columns.numberOrNull("retry_ms"),
    /** The cache decision; null until it is made, and for a job of an older Weft. */
    cache: columns.json<CacheOfRow | null>("cache", null),
    /** Columns that can no longer be read; they have neutral values here. */
    damaged: columns.damaged,
  };
}

/**
 * Reads rows of jobs. The row of an ended job leaves out two long parts of its start event: its command, and why
 * no earlier result was reused.
 */
export function jobRowReader(sql: Statements): (row: Row) => JobRow {
  return (row) => {
    const job = toJobRow(row);
    const seq = row["started_seq"] ?? null;
    if (seq === null || (row["command"] !== null && row["cache"] !== null)) return job;
    const columns = new RowReader(sql.get("SELECT data FROM events WHERE seq = ?", Number(seq)) ?? { data: "" });
    const { command = null, cache = null } = columns.json<Partial<Pick<JobRow, "command" | "cache">>>("data", {});
    return {
      ...job,
      command: row["command"] === null ? command : job.command,
      cache: row["cache"] === null ? cache : job.cache,
      damaged: columns.damaged.length > 0 ? [...job.damaged, "command"] : job.damaged,
    };
  };
}

/** A job in the projections. Times in milliseconds since 1970. */
export type JobRow = Readonly<ReturnType<typeof toJobRow>>;

/** `not_kept`: why no later job may reuse this result. */
export type CacheOfRow = RecordedCache & { readonly not_kept?: string | undefined };

export function toFileRow(row: Row) {
  const columns = new RowReader(row);
  return {
    id: columns.number("id"),
    runId: columns.text("run_id"),
    jobId: columns.textOrNull("job_id"),
    step: columns.textOrNull("step"),
    sampleId: columns.textOrNull("sample_id"),
    direction: columns.text("direction") as "input" | "output",
    port: columns.text("port"),
    /** See RecordedFile. */
    place: columns.text("place"),
    class: columns.text("class") as "File" | "Directory",
    name: columns.text("name"),
    uri: columns.text("uri"),
    sourceUri: columns.textOrNull("source_uri"),
    checksum: columns.textOrNull("checksum"),
    sha256: columns.textOrNull("sha256"),
    size: columns.numberOrNull("size"),
    timeMs: columns.number("time_ms"),
  };
}

export type FileRow = Readonly<ReturnType<typeof toFileRow>>;
