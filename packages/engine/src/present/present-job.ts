import { join } from "node:path";
import type { Links } from "@weft/shared/links.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { RecordedCache } from "@weft/shared/events/job-events.ts";
import type { Job, JobAttempt, JobCache, JobSummary, ResourcesUsed } from "@weft/shared/records/job-record.ts";
import type { AttemptRow, CacheOfRow, JobRow } from "../journal/rows.ts";
import type { DiskAccess } from "../access/disk-access.ts";
import { visibleRunName } from "../access/visible-runs.ts";
import { attemptPath } from "../files/attempt-folder.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { runNow } from "../files/beneath/steps.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { streamPath } from "../journal/stream-path.ts";
import type { Caller } from "../port/caller.ts";
import { presentKill } from "./present-kill.ts";
import { nullableTime, timeText } from "./present-time.ts";
import { presentValues } from "./present-values.ts";

export function presentJobSummary(row: JobRow, links: Links): JobSummary {
  return {
    job_id: row.jobId,
    run_id: row.runId,
    url: links.job(row.runId, row.jobId),
    step: row.step,
    sample_id: row.sampleId,
    scatter_index: [...row.scatterIndex],
    state: row.state,
    phase: row.phase,
    state_reason: row.reason,
    attempt: row.attempt,
    exit_code: row.exitCode,
    signal: row.signal,
    timing: {
      queued_at: timeText(row.queuedMs),
      started_at: nullableTime(row.startedMs),
      ended_at: nullableTime(row.endedMs),
      queued_ms: row.startedMs === null ? null : Math.max(0, row.startedMs - row.queuedMs),
      running_ms: row.startedMs === null || row.endedMs === null ? null : Math.max(0, row.endedMs - row.startedMs),
    },
    cached: row.cache?.decision === "hit",
    cache_decision: row.cache?.decision ?? null,
    resources: {
      requested: row.cores === null || row.ramBytes === null ? null : { cores: row.cores, ram_bytes: row.ramBytes },
      used: usedBy(row),
    },
    backend: { kind: row.backend ?? "local", native_id: row.nativeId, reason: waitingFor(row) },
  };
}

/** The name of a run; its ID for a run that the caller may not see. */
type NameOfRun = (runId: string) => string;

interface JobRecordSource {
  readonly read: LogReader;
  /** Absolute path. */
  readonly runsFolder: string;
  readonly access: DiskAccess;
}

/** The record of one job, with its inputs, outputs and log sizes. */
export function jobRecord(caller: Caller, row: JobRow, { read, ...folders }: JobRecordSource): Job {
  const { links } = caller;
  const isCommand = row.tool.class === "CommandLineTool";
  const values = (digest: string | null) => (digest === null ? null : presentValues(read.blobToShow(digest), links));
  const sizes = isCommand ? logSizes(row, folders) : undefined;
  const log = (stream: "stdout" | "stderr", size: number) => ({
    url: links.jobLog(row.runId, row.jobId, stream),
    size,
  });
  return {
    ...presentJobSummary(row, links),
    tool: { ...row.tool, ...(row.tool.id === null ? {} : { url: links.tool(row.tool.id, row.tool.version) }) },
    attempts: attemptsOf(row),
    ...(isCommand ? { command: row.command } : {}),
    ...(row.container === null ? {} : { container: containerText(row.container) }),
    ...(row.sandbox === null ? {} : { sandbox: row.sandbox }),
    cache: row.cache === null ? null : presentCache(row.cache, links, (runId) => visibleRunName(read, runId, caller)),
    inputs: values(row.inputs) ?? {},
    outputs: values(row.outputs),
    ...(sizes === undefined
      ? {}
      : { logs: { stdout: log("stdout", sizes.stdout), stderr: log("stderr", sizes.stderr) } }),
    ...(row.stderrTail === null ? {} : { stderr_tail: row.stderrTail }),
    ...(row.kill === null ? {} : { kill: presentKill(row.kill) }),
  };
}

function logSizes({ runId, command, ...job }: JobRow, { runsFolder, access }: Omit<JobRecordSource, "read">) {
  if (command === null) return undefined;
  const reach = access.ofShownRun(runId);
  const sizeOf = (stream: "stdout" | "stderr") =>
    sizeAt(join(runsFolder, runId, attemptPath(job, streamPath(command, stream))), reach);
  return { stdout: sizeOf("stdout"), stderr: sizeOf("stderr") };
}

/** The size of a log; 0 if it does not exist yet or may not be shown. */
function sizeAt(path: string, reach: Reach): number {
  try {
    return runNow(reach.stat(path))?.size ?? 0;
  } catch (error) {
    if (error instanceof OutOfReach) return 0;
    throw error;
  }
}

function presentCache({ not_kept, ...cache }: CacheOfRow, links: Links, nameOfRun: NameOfRun): JobCache {
  return { ...presentReuse(cache, links, nameOfRun), ...(not_kept === undefined ? {} : { not_kept }) };
}

/** The visible part of a cache decision; keys and digests stay in the log. */
export function presentReuse({ decision, reason, diff, job }: RecordedCache, links: Links, nameOfRun: NameOfRun) {
  if (job === undefined) return { decision, reason, diff: [...diff] };
  const { run_id: runId, job_id: jobId } = job;
  const earlier = { job: { run_id: runId, run_name: nameOfRun(runId), job_id: jobId, url: links.job(runId, jobId) } };
  return { decision, reason, diff: [...diff], ...earlier };
}

/** The attempts that have begun. */
function attemptsOf(row: JobRow): JobAttempt[] {
  const current = row.startedMs === null ? [] : [row];
  return [...row.attempts, ...current].map(presentAttempt);
}

function presentAttempt(row: AttemptRow): JobAttempt {
  return {
    attempt: row.attempt,
    state: row.state,
    state_reason: row.reason,
    exit_code: row.exitCode,
    signal: row.signal,
    started_at: nullableTime(row.startedMs),
    ended_at: nullableTime(row.endedMs),
    ram_bytes: row.ramBytes,
    used: usedBy(row),
    ...(row.kill === null ? {} : { kill: presentKill(row.kill) }),
  };
}

function usedBy(row: AttemptRow): ResourcesUsed {
  return {
    cpu_ms: row.cpuMs,
    max_rss_bytes: row.maxRssBytes,
    memory_source: row.memorySource,
    io_read_bytes: row.ioReadBytes,
    io_write_bytes: row.ioWriteBytes,
  };
}

function waitingFor({ reason }: JobRow): string | null {
  return reason?.code === "WAITING" ? reason.message : null;
}

/** The container as text, `debian:stable-slim (sha256:1f3c…, podman 4.3.1)`, or the reason why there was none. */
export function containerText(container: JobContainer): string {
  const { image } = container;
  if (container.engine === "none") return `none, although ${image} is requested: ${container.why}`;
  const { digest, engine, version, missed } = container;
  const instead = missed === undefined ? "" : `; ${missed.digest} was not available: ${missed.why}`;
  return `${image} (${digest === null ? "" : `${digest}, `}${engine} ${version}${instead})`;
}
