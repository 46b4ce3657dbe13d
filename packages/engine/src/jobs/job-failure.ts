import { CwlFailure, type CwlFailureCode } from "@weft/cwl/cwl-failure.ts";
import type { StepFailure } from "@weft/cwl/workflow/advance.ts";
import type { JobState, ReasonCode, StateReason } from "@weft/shared/records/state.ts";
import { errorText } from "../error-text.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import { classifyExit } from "@weft/cwl/outputs/classify-exit.ts";
import type { BackendCause, JobEvidence, JobExit } from "../executor/executor.ts";

const MIB = 1024 * 1024;
const KILL = 9;

/** How a job failed, as a value: `state` is EXECUTOR_ERROR (the tool's fault) or SYSTEM_ERROR (any other fault). */
export interface JobFailure {
  readonly state: Extract<JobState, "EXECUTOR_ERROR" | "SYSTEM_ERROR">;
  readonly reason: StateReason;
}

const CODES: Readonly<Record<CwlFailureCode, { readonly code: ReasonCode; readonly state: JobFailure["state"] }>> = {
  EXPRESSION: { code: "EXPRESSION", state: "EXECUTOR_ERROR" },
  INPUT_INVALID: { code: "STAGE_IN", state: "EXECUTOR_ERROR" },
  LIMIT_EXCEEDED: { code: "LIMIT_EXCEEDED", state: "EXECUTOR_ERROR" },
  MISSING_OUTPUT: { code: "MISSING_OUTPUT", state: "EXECUTOR_ERROR" },
  OUTPUT_INVALID: { code: "OUTPUT_INVALID", state: "EXECUTOR_ERROR" },
  STAGE_IN: { code: "STAGE_IN", state: "SYSTEM_ERROR" },
  UNSUPPORTED: { code: "ENGINE", state: "SYSTEM_ERROR" },
};

/** A failure reported by packages/cwl, as the failure of a job. */
export function fromCwlFailure(failure: CwlFailure): JobFailure {
  const { code, state } = CODES[failure.code];
  const place = failure.place === undefined ? "" : ` (${failure.place})`;
  return {
    state,
    reason: {
      code,
      message: `${failure.message}${place}`,
      ...(failure.hint === undefined ? {} : { hint: failure.hint }),
      ...(failure.place === undefined ? {} : { place: failure.place }),
    },
  };
}

/** Like `toFailure`, for failures before or between jobs. */
export function stepFailure({ code, message, place, step, hint }: StepFailure): JobFailure {
  const details = { ...(place === undefined ? {} : { place }), ...(hint === undefined ? {} : { hint }) };
  return fromCwlFailure(new CwlFailure(code, step === "" ? message : `step ${step}: ${message}`, details));
}

/** A failure of the machine while preparing or collecting files. */
export function fromSystemError(error: unknown, during: "STAGE_IN" | "STAGE_OUT"): JobFailure {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT")
    return systemFailure(
      "DISK_FULL",
      `the disk is full (${errorText(error)})`,
      "free space on the disk of the state folder, then run again",
    );
  if (typeof code === "string") return systemFailure(during, errorText(error));
  return systemFailure("ENGINE", `internal error: ${errorText(error)}`);
}

/** Thrown if a run cannot continue because its record in the database is damaged; ends only that run. */
export class DamagedRecord extends Error {
  constructor(columns: readonly string[]) {
    super(`the record of this run is damaged (internal-corrupt): ${columns.join(", ")} cannot be read`);
  }
}

/** The failure of a run that cannot continue, because of an internal error or unreadable records. */
export function brokenRun(error: unknown): JobFailure {
  // The error's message already names the missing file.
  if (error instanceof CwlFailure) return fromCwlFailure(error);
  const failure = fromSystemError(error, "STAGE_IN");
  const { code, message } = failure.reason;
  const isDamaged = error instanceof DamagedRecord;
  if (!isDamaged && (code === "DISK_FULL" || code === "ENGINE")) return failure;
  const text = isDamaged ? error.message : `the run cannot continue (internal-corrupt): ${message}`;
  const hint = "its files in the state folder cannot be read; run again, and check the disk";
  return systemFailure("ENGINE", text, hint);
}

export function toFailure(error: unknown, during: "STAGE_IN" | "STAGE_OUT"): JobFailure {
  return error instanceof CwlFailure ? fromCwlFailure(error) : fromSystemError(error, during);
}

/** The signal that a shell reports as 128 + signal. */
export function signalOf(exitCode: number): number | null {
  return exitCode > 128 && exitCode <= 192 ? exitCode - 128 : null;
}

/** The memory of a job. */
export interface JobMemory {
  readonly requestedBytes: number;
  /** The job's limit; undefined: only the machine's. */
  readonly limitBytes: number | undefined;
  readonly inContainer: boolean;
}

type Exited = Extract<JobExit, { readonly kind: "exited" }>;

/** Why a job failed, based on its program's exit. Undefined if the tool calls the exit code a success. */
export function exitFailure(tool: CommandLineTool, exit: JobExit, memory: JobMemory): JobFailure | undefined {
  switch (exit.kind) {
    case "rejected":
      return systemFailure(
        exit.isDiskFull === true ? "DISK_FULL" : "SUBMIT_REJECTED",
        `the job could not be started: ${exit.message}`,
      );
    case "lost":
      if (exit.cause !== undefined) return backendFailure(exit.cause);
      return systemFailure(
        "BACKEND_LOST",
        "the job's processes disappeared without recording their exit",
        "something outside Weft killed them, or the machine went down; run again",
      );
    case "exited":
      // A program may succeed without the processes that it started; its outputs are incomplete.
      if (exit.cause?.code === "OUT_OF_MEMORY") return backendFailure(exit.cause);
      if (classifyExit(tool, exit.exitCode) === "success") return undefined;
      if (exit.cause !== undefined) return backendFailure(exit.cause);
      return { state: "EXECUTOR_ERROR", reason: outOfMemory(exit, memory) ?? exitReason(exit, memory) };
  }
}

/** Users can raise limits; other kills are not the tool's fault. */
function backendFailure({ code, message, hint }: BackendCause): JobFailure {
  const isLimit = code === "TIME_LIMIT" || code === "OUT_OF_MEMORY" || code === "LIMIT_EXCEEDED";
  return { state: isLimit ? "EXECUTOR_ERROR" : "SYSTEM_ERROR", reason: { code, message, hint } };
}

export function timeLimitFailure(seconds: number): JobFailure {
  return {
    state: "EXECUTOR_ERROR",
    reason: {
      code: "TIME_LIMIT",
      message: `the job exceeded the tool's time limit of ${seconds} s`,
      hint: "raise ToolTimeLimit in the tool",
    },
  };
}

/**
 * Requires evidence from the kernel: it killed processes of this job, or some on this machine while the job ran, and
 * the same signal ended the job.
 */
function outOfMemory({ exitCode, oom, used }: Exited, memory: JobMemory): StateReason | undefined {
  if (oom === undefined || (oom.source === "machine" && signalOf(exitCode) !== KILL)) return undefined;
  const evidence =
    oom.source === "cgroup"
      ? `the kernel killed ${processes(oom.kills)} of the job for lack of memory`
      : `the program was killed by signal 9 while the kernel killed ${processes(oom.kills)} on this machine for lack of memory`;
  return { code: "OUT_OF_MEMORY", message: `${evidence}; ${hadText(used, memory)}`, hint: memoryHint(memory) };
}

function hadText({ maxRssBytes }: JobEvidence["used"], { requestedBytes, limitBytes }: JobMemory): string {
  const seen = maxRssBytes === null ? "" : `, and was seen using at least ${mib(maxRssBytes)}`;
  const limit = limitBytes === undefined ? "" : ` and could use up to ${mib(limitBytes)}`;
  return `the job had requested ${mib(requestedBytes)}${limit}${seen}`;
}

function memoryHint({ limitBytes }: JobMemory): string {
  const how = limitBytes === undefined ? "raise ramMin in the tool" : "raise ramMin and ramMax in the tool";
  return `${how}, or let the run retry with more memory (on_out_of_memory)`;
}

/**
 * Adds a hint to a failure that has none. Pages, the API and the command line all show it, so it refers to things by
 * their names, never by their position.
 */
export function withStderrHint(reason: StateReason, stderr: string | undefined): StateReason {
  if (reason.code !== "TOOL_EXIT" || reason.hint !== undefined) return reason;
  const hint =
    stderr === undefined
      ? "the program wrote nothing to standard error; see its standard output, or run its command line by hand"
      : "see the last lines of its standard error";
  return { ...reason, hint };
}

/** One sentence about a program that ended with a failing exit code. */
function exitReason({ exitCode, oom }: Exited, memory: JobMemory): StateReason {
  const signal = signalOf(exitCode);
  const notFound = exitCode === 127 ? "; 127 usually means that the program was not found" : "";
  // `env` and some shells also end with 126 if no readable folder of PATH has the program and others are unreadable.
  const notRunnable =
    exitCode === 126
      ? "; 126 usually means that the file is not executable, or that the program was not found and a folder in PATH cannot be read"
      : "";
  const killed = signal === null ? "" : `; codes above 128 usually mean that signal ${signal} killed it`;
  return {
    code: "TOOL_EXIT",
    message: `the program ended with exit code ${exitCode}${notFound}${notRunnable}${killed}`,
    ...exitHint(signal, oom, memory),
  };
}

function exitHint(
  signal: number | null,
  oom: Exited["oom"],
  { limitBytes, inContainer }: JobMemory,
): Pick<StateReason, "hint"> {
  if (oom !== undefined)
    return {
      hint: `the kernel killed ${processes(oom.kills)} on this machine for lack of memory while the job ran, perhaps one of its processes`,
    };
  if (signal !== KILL) return {};
  if (limitBytes === undefined)
    return {
      hint: "signal 9 comes from a person or from the kernel when memory is short; the kernel reported no such kill while the job ran",
    };
  const where = inContainer ? "the job's container" : "the job";
  return {
    hint: `${where} could use up to ${mib(limitBytes)} of memory; if that was too little, raise ramMax in the tool`,
  };
}

function processes(count: number): string {
  return count === 1 ? "a process" : `${count} processes`;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}

function systemFailure(code: ReasonCode, message: string, hint?: string): JobFailure {
  return { state: "SYSTEM_ERROR", reason: { code, message, ...(hint === undefined ? {} : { hint }) } };
}
