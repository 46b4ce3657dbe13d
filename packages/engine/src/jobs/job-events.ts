import type { ReusableResult } from "@weft/shared/events/job-events.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import type { Command, JobTool } from "@weft/shared/records/job-record.ts";
import type { StateReason } from "@weft/shared/records/state.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import { NOTHING_MEASURED } from "../executor/executor.ts";
import type { JobRow } from "../journal/rows.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { recordValues, restoreValues } from "../values/record-values.ts";
import type { RunLog } from "../journal/run-log.ts";
import { withChecksums } from "./cache/job-key.ts";
import { signalOf, toFailure } from "./job-failure.ts";
import type { BoundJob, ComparedJob, JobEnd, JobIdentity, JobOutcome, ReusedJob } from "./job.ts";

const MIB = 1024 * 1024;

export function failedEnd(error: unknown, during: "STAGE_IN" | "STAGE_OUT"): JobEnd {
  return { outcome: { status: "failed", ...toFailure(error, during) }, ...NOTHING_KNOWN };
}

/** The facts about a job without a program, or whose program left no record. */
export const NOTHING_KNOWN: Pick<JobEnd, "exitCode" | "used"> = { exitCode: null, used: NOTHING_MEASURED };

export function canceledEnd({ exitCode, used }: Pick<JobEnd, "exitCode" | "used"> = NOTHING_KNOWN): JobEnd {
  return { outcome: { status: "canceled" }, exitCode, used };
}

interface Start {
  /** The command; null for an ExpressionTool, which has none. */
  readonly command: Command | null;
  /** Undefined if the tool requests none. */
  readonly container?: JobContainer | undefined;
  /** Present for a command that runs on this machine without a container. */
  readonly sandbox?: JobSandbox | undefined;
  /** The backend. Default: that of the job. */
  readonly backend?: string;
  /** The job does not have its turn yet; its start is recorded when it runs. */
  readonly isAhead?: boolean;
}

/** The durable intent. */
export function startedEvent(
  job: ComparedJob | ReusedJob,
  { command, container, sandbox, backend, isAhead = false }: Start,
  { uris }: Pick<RunLog, "uris">,
): NewEvent {
  const { reuse } = job;
  const inputs = recordValues(
    reuse.key === undefined ? job.inputs : withChecksums(job.inputs, reuse.key.checksums),
    uris,
  );
  return {
    type: "job.started",
    ...identify(job),
    data: {
      attempt: job.attempt,
      command,
      cores: job.resources.coresMin,
      ram_bytes: Math.round(job.resources.ramMin * MIB),
      backend: backend ?? (command === null ? "engine" : job.backend),
      inputs: inputs.blob.digest,
      files: inputs.files,
      ...(container === undefined ? {} : { container }),
      ...(sandbox === undefined ? {} : { sandbox }),
      cache: reuse.record,
      ...(isAhead ? { ahead: true as const } : {}),
    },
    blobs: [inputs.blob],
  };
}

/** Facts recorded with the end of a job. */
export interface Ended extends JobEnd {
  readonly reusable?: ReusableResult | string | undefined;
}

export function endedEvent(job: JobIdentity, end: Ended, { uris }: Pick<RunLog, "uris">): NewEvent {
  const { outcome, reusable } = end;
  const outputs = outcome.status === "success" ? recordValues(outcome.outputs, uris) : undefined;
  return {
    type: "job.ended",
    ...identify(job),
    data: {
      state: stateOf(outcome),
      reason: reasonOf(outcome),
      outputs: outputs?.blob.digest ?? null,
      files: outputs?.files ?? [],
      ...factsOf(end),
      ...(reusable === undefined ? {} : { reusable }),
    },
    ...(outputs === undefined ? {} : { blobs: [outputs.blob] }),
  };
}

/** Facts about an attempt, however it ended. */
function factsOf({ exitCode, used, stderrTail, kill, ranMs }: JobEnd) {
  return {
    exit_code: exitCode,
    signal: exitCode === null ? null : signalOf(exitCode),
    cpu_ms: used.cpuMs,
    max_rss_bytes: used.maxRssBytes,
    memory_source: used.memorySource,
    io_read_bytes: used.ioReadBytes,
    io_write_bytes: used.ioWriteBytes,
    ...(stderrTail === undefined ? {} : { stderr_tail: stderrTail }),
    ...(kill === undefined ? {} : { kill }),
    ...(ranMs === undefined ? {} : { ran_ms: ranMs }),
  };
}

/** The end of an attempt that failed. */
export interface FailedEnd extends JobEnd {
  readonly outcome: Extract<JobOutcome, { status: "failed" }>;
}

function lateEvent(job: JobIdentity, { outcome }: JobEnd): NewEvent {
  return { type: "job.late", ...identify(job), data: { state: stateOf(outcome) } };
}

function stateOf(outcome: JobOutcome) {
  switch (outcome.status) {
    case "success":
      return "COMPLETE";
    case "canceled":
      return "CANCELED";
    case "failed":
      return outcome.state;
  }
}

function reasonOf(outcome: JobOutcome): StateReason | null {
  if (outcome.status === "failed") return outcome.reason;
  return outcome.status === "canceled" ? { code: "ABORTED", message: "The run ended before this job did." } : null;
}

export function identify({ runId, jobId, step, sampleId }: JobIdentity) {
  return {
    run_id: runId,
    job_id: jobId,
    step,
    ...(sampleId === undefined ? {} : { sample_id: sampleId }),
    actor: "engine",
  };
}

interface QueuedJob {
  readonly runId: string;
  /** Number of the job in its run, starting at 1. */
  readonly n: number;
  readonly tool: JobTool;
}

export function queuedEvent(call: Call, { runId, n, tool }: QueuedJob): NewEvent {
  return {
    type: "job.queued",
    ...identify({ runId, jobId: jobIdOf(call.id, n), step: call.step, sampleId: call.sampleId }),
    data: { call_id: call.id, n, scatter_index: call.scatterIndex, tool },
  };
}

/**
 * The id of a job within its run, made from its call (`outer[2]/inner[0]` → `outer-2.inner-0`): readable, and safe in
 * paths and URLs. If special characters could make two ids equal, the job's number is appended.
 */
export function jobIdOf(callId: string, n: number): string {
  if (callId === "") return "main";
  const id = callId
    .replace(/\[(\d+)\]/g, "-$1")
    .replaceAll("/", ".")
    .replace(/[^A-Za-z0-9._-]/g, "_");
  const safe = /^[A-Za-z0-9]/.test(id) ? id : `j${id}`;
  const plain = /^[A-Za-z0-9_]+(\[\d+\])*(\/[A-Za-z0-9_]+(\[\d+\])*)*$/.test(callId);
  return plain && safe.length <= 180 ? safe : `${safe.slice(0, 180)}.${n}`;
}

/** Records the end of a job and returns its outcome. */
export async function recordEnd(job: JobIdentity, end: Ended, services: RunLog): Promise<JobOutcome> {
  const [recorded] = await services.journal.append([endedEvent(job, end, services)]);
  // The run was already final: a late end is a fact about the job and changes nothing.
  if (recorded === null) await services.journal.append([lateEvent(job, end)]);
  return end.outcome;
}

/**
 * Records that another attempt follows after `delayMs`. Returns false, with nothing recorded, if the run was already
 * final.
 */
export async function recordRetry(
  job: JobIdentity & Pick<BoundJob, "attempt">,
  end: FailedEnd,
  delayMs: number,
  { journal }: RunLog,
): Promise<boolean> {
  const { attempt } = job;
  const { outcome } = end;
  const next = delayMs === 0 ? "follows" : `follows after ${delayMs / 1000} s`;
  const message = `attempt ${attempt} failed (${outcome.reason.message}); attempt ${attempt + 1} ${next}`;
  const facts = { attempt, state: outcome.state, reason: outcome.reason, ...factsOf(end), delay_ms: delayMs };
  const data = { ...facts, waiting: { code: "WAITING" as const, message } };
  const [recorded] = await journal.append([{ type: "job.retrying", ...identify(job), data }]);
  return recorded !== null;
}

/** An attempt that was lost with the server that had begun it. */
export const LOST_END = {
  outcome: {
    status: "failed",
    state: "SYSTEM_ERROR",
    reason: {
      code: "BACKEND_LOST",
      message: "the server restarted, and the processes of this attempt no longer exist",
      hint: "something outside Weft killed its processes, or the machine went down; run again",
    },
  },
  ...NOTHING_KNOWN,
} as const;

/** Ends a job that is not retried after all, with the end of its last attempt. */
export async function recordLastFailure(job: JobIdentity, services: RunLog): Promise<JobOutcome> {
  const last = services.journal.read.job(job.runId, job.jobId)?.attempts.at(-1);
  if (last === undefined) throw new Error(`job ${job.jobId} waits for a retry but has no failed attempt`);
  const state = last.state === "SYSTEM_ERROR" ? last.state : "EXECUTOR_ERROR";
  const outcome = { status: "failed", state, reason: last.reason } as const;
  return recordEnd(job, { outcome, exitCode: last.exitCode, used: last, kill: last.kill ?? undefined }, services);
}

/** The recorded outcome of a job that ended under an earlier server. */
export function recordedOutcome(row: JobRow, { journal, uris }: RunLog): JobOutcome {
  if (row.state === "COMPLETE" && row.outputs !== null)
    return { status: "success", outputs: restoreValues(journal.read.blob(row.outputs), uris) };
  const state = row.state === "SYSTEM_ERROR" ? "SYSTEM_ERROR" : "EXECUTOR_ERROR";
  return { status: "failed", state, reason: row.reason ?? { code: "ENGINE", message: "the job failed" } };
}

/**
 * Ends a job with the result of an earlier one, whose files it now has under its own paths: start and end in one
 * transaction. A crash before that leaves only an unreferenced folder, which the next server reuses.
 */
export async function recordReuse(job: ReusedJob, services: RunLog): Promise<JobOutcome> {
  const { row, outputs } = job.earlier;
  const key = job.reuse.key?.key;
  const outcome = { status: "success", outputs: job.outputs } as const;
  const reusable = key === undefined ? undefined : { key, outputs };
  const end = { outcome, ...NOTHING_KNOWN, exitCode: row.exitCode, reusable };
  const container = row.container ?? undefined;
  const [recorded] = await services.journal.append([
    // These files come from that program in that folder.
    startedEvent(job, { command: row.command, container, backend: "engine" }, services),
    endedEvent(job, end, services),
  ]);
  // The run was already final.
  if (recorded === null) await services.journal.append([lateEvent(job, end)]);
  return outcome;
}
