import type { ReusableResult } from "@weft/shared/events/job-events.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import type { Command, JobTool } from "@weft/shared/records/job-record.ts";
import type { StateReason } from "@weft/shared/records/state.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import { NOTHING_MEASURED } from "../executor/executor.ts";
import type { UsedResources } from "../executor/executor.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { recordValues } from "../values/record-values.ts";
import type { RunLog } from "../journal/run-log.ts";
import { withChecksums } from "./cache/job-key.ts";
import type { FinishedJob } from "./cache/keep-result.ts";
import { signalOf, toFailure } from "./job-failure.ts";
import type { Job, JobOutcome } from "./job.ts";
import { jobIdOf } from "./job-id.ts";

const MIB = 1024 * 1024;

/** Identifies a job in events. */
export type JobIdentity = Pick<Job, "runId" | "jobId" | "step" | "sampleId">;

/** What a job left besides its outcome. */
export interface JobEnd {
  readonly outcome: JobOutcome;
  readonly exitCode: number | null;
  readonly used: UsedResources;
  /** Set if Weft ended the attempt itself. */
  readonly kill?: RecordedKill | undefined;
  readonly stderrTail?: string | undefined;
  /** The tool declares its exit code a temporary failure. */
  readonly isTemporary?: boolean;
  /** How many milliseconds ago the program began, unless an event says so. */
  readonly ranMs?: number | undefined;
  /** The origin of a successful command's result. */
  readonly made?: Omit<FinishedJob, "outputs">;
}

export function failedEnd(error: unknown, during: "STAGE_IN" | "STAGE_OUT"): JobEnd {
  return { outcome: { status: "failed", ...toFailure(error, during) }, ...NOTHING_KNOWN };
}

/** For a job without a program, or whose program left no record. */
export const NOTHING_KNOWN: Pick<JobEnd, "exitCode" | "used"> = { exitCode: null, used: NOTHING_MEASURED };

export function canceledEnd({ exitCode, used }: Pick<JobEnd, "exitCode" | "used"> = NOTHING_KNOWN): JobEnd {
  return { outcome: { status: "canceled" }, exitCode, used };
}

interface Start {
  /** Null for an ExpressionTool, which has no program. */
  readonly command: Command | null;
  /** Undefined if the tool requests none. */
  readonly container?: JobContainer | undefined;
  /** Present for a command that runs on this machine without a container. */
  readonly sandbox?: JobSandbox | undefined;
  /** Absent: the job's. */
  readonly backend?: string;
  /** The job does not have its turn yet; its start is recorded when it runs. */
  readonly isAhead?: boolean;
}

/** The durable intent. */
export function startedEvent(
  job: Job,
  { command, container, sandbox, backend, isAhead = false }: Start,
  { uris }: Pick<RunLog, "uris">,
): NewEvent {
  const { reuse } = job;
  const inputs = recordValues(
    reuse?.key === undefined ? job.inputs : withChecksums(job.inputs, reuse.key.checksums),
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
      ...(reuse === undefined ? {} : { cache: reuse.record }),
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

/** What is known about an attempt, however it ended. */
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

/** A failed attempt that does not end its job: another one follows after `delayMs`. */
export function retryingEvent(job: JobIdentity & Pick<Job, "attempt">, end: FailedEnd, delayMs: number): NewEvent {
  const { outcome } = end;
  const next = delayMs === 0 ? "follows" : `follows after ${delayMs / 1000} s`;
  return {
    type: "job.retrying",
    ...identify(job),
    data: {
      attempt: job.attempt,
      state: outcome.state,
      reason: outcome.reason,
      ...factsOf(end),
      delay_ms: delayMs,
      waiting: {
        code: "WAITING",
        message: `attempt ${job.attempt} failed (${outcome.reason.message}); attempt ${job.attempt + 1} ${next}`,
      },
    },
  };
}

export function lateEvent(job: JobIdentity, { outcome }: JobEnd): NewEvent {
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
    run_id: runId,
    job_id: jobIdOf(call.id, n),
    step: call.step,
    ...(call.sampleId === undefined ? {} : { sample_id: call.sampleId }),
    actor: "engine",
    data: { call_id: call.id, n, scatter_index: call.scatterIndex, tool },
  };
}
