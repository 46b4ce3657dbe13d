import type { RecordedCache } from "@weft/shared/events/job-events.ts";
import type { Tolerance, Verdict } from "@weft/shared/records/comparison-record.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import type { Command, JobTool, ResourcesUsed } from "@weft/shared/records/job-record.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import type { JobCounts, JobState, Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";
import type { EventData } from "@weft/shared/events/event.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import { RowTexts } from "./row-texts.ts";
import type { Row } from "./statements.ts";

/** A run as the projections hold it. Times in milliseconds since 1970; `inputs`, `outputs`, `document` are blob digests. */
export interface RunRow {
  readonly runId: string;
  readonly state: RunState;
  readonly outcome: Outcome | null;
  readonly reason: StateReason | null;
  readonly kind: "network" | "tool";
  readonly processId: string;
  readonly processVersion: string | null;
  readonly processDigest: string;
  readonly processLabel: string | null;
  readonly name: string;
  readonly owner: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly options: RunOptions;
  readonly document: string;
  readonly documentUri: string;
  readonly inputs: string;
  readonly samples: Readonly<Record<string, readonly string[]>>;
  readonly sinks: Readonly<Record<string, string>>;
  readonly outputs: string | null;
  /** Blob digest. */
  readonly placed: string | null;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  readonly updatedMs: number;
  readonly revision: number;
  readonly jobCounts: JobCounts;
  /** Over all steps, as far as they are known. */
  readonly jobsTotal: number;
  readonly jobsTotalIsFinal: boolean;
  readonly abort: {
    readonly requested_ms: number;
    readonly requested_by: string;
    readonly confirmed_ms: number | null;
    /** Absent until the run has ended, and in logs of earlier servers. */
    readonly kill?: RecordedKill | null;
    /** Jobs that never started; absent like the report. */
    readonly not_started?: number;
  } | null;
  readonly retryOf: string | null;
  readonly jobsCached: number;
  /** The run that this one is to give again. */
  readonly reproduces: { readonly run_id: string; readonly tolerance: Tolerance } | null;
  /** What came of comparing them; null before. */
  readonly verdict: { readonly verdict: Verdict; readonly compared_ms: number } | null;
  /** Of a run that was made elsewhere: where, and who brought it here. */
  readonly imported: ImportOfRow | null;
  /** Columns that cannot be read any more; they have neutral values here. */
  readonly damaged: readonly string[];
}

export type ImportOfRow = Pick<EventData<"run.imported">, "made_as" | "made_by" | "made_at" | "crate_sha256"> & {
  readonly imported_by: string;
  readonly imported_ms: number;
};

export interface StepRow {
  readonly step: string;
  readonly label: string | null;
  readonly jobsTotal: number;
  readonly jobsTotalIsFinal: boolean;
  readonly jobCounts: JobCounts;
  readonly jobsCached: number;
}

/** An attempt of a job that has failed, and was followed by another. */
export interface AttemptRow extends Omit<EventData<"job.retrying">, "stderr_tail" | "delay_ms" | "waiting"> {
  /** Absent in rows of earlier servers. */
  readonly ram_bytes?: number | null;
  readonly started_ms: number | null;
  readonly ended_ms: number;
}

export interface JobRow {
  readonly runId: string;
  readonly jobId: string;
  readonly n: number;
  readonly callId: string;
  readonly step: string;
  readonly sampleId: string | null;
  readonly scatterIndex: readonly number[];
  readonly tool: JobTool;
  readonly state: JobState;
  readonly phase: "waiting" | "staging" | "prepared" | "running" | "collecting" | "ended";
  readonly attempt: number;
  readonly reason: StateReason | null;
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly queuedMs: number;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  readonly command: Command | null;
  readonly cores: number | null;
  readonly ramBytes: number | null;
  readonly backend: string | null;
  readonly nativeId: string | null;
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly cpuMs: number | null;
  readonly maxRssBytes: number | null;
  readonly memorySource: ResourcesUsed["memory_source"];
  readonly ioReadBytes: number | null;
  readonly ioWriteBytes: number | null;
  readonly stderrTail: string | null;
  readonly container: JobContainer | null;
  /** Null of jobs in containers, at other backends, and of an older Weft. */
  readonly sandbox: JobSandbox | null;
  /** All before the present one, in order. */
  readonly attempts: readonly AttemptRow[];
  /** When the next attempt is due, while the job waits for it. */
  readonly retryMs: number | null;
  /** Null until it is decided, and of jobs of an older Weft. */
  readonly cache: CacheOfRow | null;
  /** How Weft ended the present attempt. */
  readonly kill: RecordedKill | null;
  /** Columns that cannot be read any more; they have neutral values here. */
  readonly damaged: readonly string[];
}

/** `not_kept`: why no later job may take the result of this one. */
export type CacheOfRow = RecordedCache & { readonly not_kept?: string | undefined };

export interface FileRow {
  readonly id: number;
  readonly runId: string;
  readonly jobId: string | null;
  readonly step: string | null;
  readonly sampleId: string | null;
  readonly direction: "input" | "output";
  readonly port: string;
  /** See RecordedFile. */
  readonly place: string;
  readonly class: "File" | "Directory";
  readonly name: string;
  readonly uri: string;
  readonly sourceUri: string | null;
  readonly checksum: string | null;
  readonly sha256: string | null;
  readonly size: number | null;
  readonly timeMs: number;
}

// The casts below hold because the projections are written by this folder alone, from values of these types.

export function toRunRow(row: Row): RunRow {
  const texts = new RowTexts(row);
  return {
    runId: String(row["run_id"]),
    state: row["state"] as RunState,
    outcome: row["outcome"] as Outcome | null,
    reason: texts.json("reason", null) as StateReason | null,
    kind: row["kind"] as RunRow["kind"],
    processId: String(row["process_id"]),
    processVersion: row["process_version"] as string | null,
    processDigest: String(row["process_digest"]),
    processLabel: row["process_label"] as string | null,
    name: String(row["name"]),
    owner: String(row["owner"]),
    tags: texts.json("tags", {}) as RunRow["tags"],
    options: texts.json("options", {}) as RunOptions,
    document: String(row["document"]),
    documentUri: String(row["document_uri"]),
    inputs: String(row["inputs"]),
    samples: texts.json("samples", {}) as RunRow["samples"],
    sinks: texts.json("sinks", {}) as RunRow["sinks"],
    outputs: row["outputs"] as string | null,
    placed: row["placed"] as string | null,
    createdMs: Number(row["created_ms"]),
    startedMs: row["started_ms"] as number | null,
    endedMs: row["ended_ms"] as number | null,
    updatedMs: Number(row["updated_ms"]),
    revision: Number(row["revision"]),
    jobCounts: texts.json("job_counts", {}) as JobCounts,
    jobsTotal: Number(row["jobs_total"] ?? 0),
    jobsTotalIsFinal: row["jobs_total_is_final"] !== 0,
    abort: texts.json("abort", null) as RunRow["abort"],
    retryOf: row["retry_of"] as string | null,
    jobsCached: Number(row["jobs_cached"]),
    reproduces: texts.json("reproduces", null) as RunRow["reproduces"],
    verdict: texts.json("verdict", null) as RunRow["verdict"],
    imported: texts.json("imported", null) as RunRow["imported"],
    damaged: texts.damaged,
  };
}

export function toStepRow(row: Row): StepRow {
  const texts = new RowTexts(row);
  return {
    step: String(row["step"]),
    label: row["label"] as string | null,
    jobsTotal: Number(row["jobs_total"]),
    jobsTotalIsFinal: row["jobs_total_is_final"] === 1,
    jobCounts: texts.json("job_counts", {}) as JobCounts,
    jobsCached: Number(row["jobs_cached"]),
  };
}

const UNKNOWN_TOOL: JobTool = { id: null, version: null, class: "CommandLineTool" };

export function toJobRow(row: Row): JobRow {
  const texts = new RowTexts(row);
  return {
    runId: String(row["run_id"]),
    jobId: String(row["job_id"]),
    n: Number(row["n"]),
    callId: String(row["call_id"]),
    step: String(row["step"]),
    sampleId: row["sample_id"] as string | null,
    scatterIndex: texts.json("scatter_index", []) as readonly number[],
    tool: texts.json("tool", UNKNOWN_TOOL) as JobTool,
    state: row["state"] as JobState,
    phase: row["phase"] as JobRow["phase"],
    attempt: Number(row["attempt"]),
    reason: texts.json("reason", null) as StateReason | null,
    exitCode: row["exit_code"] as number | null,
    signal: row["signal"] as number | null,
    queuedMs: Number(row["queued_ms"]),
    startedMs: row["started_ms"] as number | null,
    endedMs: row["ended_ms"] as number | null,
    command: texts.json("command", null) as Command | null,
    cores: row["cores"] as number | null,
    ramBytes: row["ram_bytes"] as number | null,
    backend: row["backend"] as string | null,
    nativeId: row["native_id"] as string | null,
    inputs: row["inputs"] as string | null,
    outputs: row["outputs"] as string | null,
    cpuMs: row["cpu_ms"] as number | null,
    maxRssBytes: row["max_rss_bytes"] as number | null,
    memorySource: row["memory_source"] as JobRow["memorySource"],
    ioReadBytes: row["io_read_bytes"] as number | null,
    ioWriteBytes: row["io_write_bytes"] as number | null,
    stderrTail: row["stderr_tail"] as string | null,
    container: texts.json("container", null) as JobContainer | null,
    sandbox: texts.json("sandbox", null) as JobSandbox | null,
    attempts: texts.json("attempts", []) as readonly AttemptRow[],
    retryMs: row["retry_ms"] as number | null,
    cache: texts.json("cache", null) as CacheOfRow | null,
    kill: texts.json("kill", null) as RecordedKill | null,
    damaged: texts.damaged,
  };
}

export function toFileRow(row: Row): FileRow {
  return {
    id: Number(row["id"]),
    runId: String(row["run_id"]),
    jobId: row["job_id"] as string | null,
    step: row["step"] as string | null,
    sampleId: row["sample_id"] as string | null,
    direction: row["direction"] as FileRow["direction"],
    port: String(row["port"]),
    place: String(row["place"]),
    class: row["class"] as FileRow["class"],
    name: String(row["name"]),
    uri: String(row["uri"]),
    sourceUri: row["source_uri"] as string | null,
    checksum: row["checksum"] as string | null,
    sha256: row["sha256"] as string | null,
    size: row["size"] as number | null,
    timeMs: Number(row["time_ms"]),
  };
}
