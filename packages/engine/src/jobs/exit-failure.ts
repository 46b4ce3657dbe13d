import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import { classifyExit } from "@weft/cwl/outputs/classify-exit.ts";
import type { ReasonCode, StateReason } from "@weft/shared/records/state.ts";
import type { BackendCause, JobEvidence, JobExit } from "../executor/executor.ts";
import { signalOf } from "./job-failure.ts";
import type { JobFailure } from "./job-failure.ts";

const MIB = 1024 * 1024;
const KILL = 9;

/** The memory that a job had. */
export interface JobMemory {
  readonly requestedBytes: number;
  /** What it could not exceed; undefined: nothing but the machine's. */
  readonly limitBytes: number | undefined;
  readonly inContainer: boolean;
}

type Exited = Extract<JobExit, { readonly kind: "exited" }>;

/** Why a job failed, by the end of its program. Undefined where the tool's exit code means success. */
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
        "the job's processes are gone without a record of how they ended",
        "something outside Weft ended them, or the machine went down; run again",
      );
    case "exited":
      // A program may end well without the processes that it was to wait for: what it made is not whole.
      if (exit.cause?.code === "OUT_OF_MEMORY") return backendFailure(exit.cause);
      if (classifyExit(tool, exit.exitCode) === "success") return undefined;
      if (exit.cause !== undefined) return backendFailure(exit.cause);
      return { state: "EXECUTOR_ERROR", reason: outOfMemory(exit, memory) ?? exitReason(exit, memory) };
  }
}

/** Limits are the tool's to raise; the rest is no fault of it. */
function backendFailure({ code, message, hint }: BackendCause): JobFailure {
  const isLimit = code === "TIME_LIMIT" || code === "OUT_OF_MEMORY";
  return { state: isLimit ? "EXECUTOR_ERROR" : "SYSTEM_ERROR", reason: { code, message, hint } };
}

export function timeLimitFailure(seconds: number): JobFailure {
  return {
    state: "EXECUTOR_ERROR",
    reason: {
      code: "TIME_LIMIT",
      message: `the tool's time limit of ${seconds} s is over`,
      hint: "raise ToolTimeLimit in the tool",
    },
  };
}

/**
 * Only where the kernel says so: it has ended processes of this very job, or some on this machine while the job ran, which then
 * ended by the signal that the kernel uses for that.
 */
function outOfMemory({ exitCode, oom, used }: Exited, memory: JobMemory): StateReason | undefined {
  if (oom === undefined || (oom.source === "machine" && signalOf(exitCode) !== KILL)) return undefined;
  const evidence =
    oom.source === "cgroup"
      ? `the kernel ended ${processes(oom.kills)} of the job for lack of memory`
      : `the program was ended by signal 9 while the kernel ended ${processes(oom.kills)} on this machine for lack of memory`;
  return { code: "OUT_OF_MEMORY", message: `${evidence}; ${hadText(used, memory)}`, hint: memoryHint(memory) };
}

function hadText({ maxRssBytes }: JobEvidence["used"], { requestedBytes, limitBytes }: JobMemory): string {
  const seen = maxRssBytes === null ? "" : `, at least ${mib(maxRssBytes)} were seen in use`;
  const limit = limitBytes === undefined ? "" : ` and could use ${mib(limitBytes)}`;
  return `it had asked for ${mib(requestedBytes)}${limit}${seen}`;
}

function memoryHint({ limitBytes }: JobMemory): string {
  const how = limitBytes === undefined ? "raise ramMin in the tool" : "raise ramMin and ramMax in the tool";
  return `${how}, or let the run try again with more memory (on_out_of_memory)`;
}

/** One sentence about a program that ended with a code other than success. */
function exitReason({ exitCode, oom }: Exited, memory: JobMemory): StateReason {
  const signal = signalOf(exitCode);
  const notFound = exitCode === 127 ? "; 127 usually means that the program was not found" : "";
  const notRunnable = exitCode === 126 ? "; 126 usually means that the program may not be executed" : "";
  const killed = signal === null ? "" : `; codes above 128 usually mean that it was ended by signal ${signal}`;
  return {
    code: "TOOL_EXIT",
    message: `the program ended with exit code ${exitCode}${notFound}${notRunnable}${killed}`,
    hint: exitHint(signal, oom, memory),
  };
}

function exitHint(signal: number | null, oom: Exited["oom"], { limitBytes, inContainer }: JobMemory): string {
  if (oom !== undefined)
    return `the kernel ended ${processes(oom.kills)} on this machine for lack of memory while it ran, perhaps one that it had started`;
  if (signal !== KILL) return "read its standard error and the command line below";
  if (limitBytes === undefined)
    return "signal 9 comes from a person or from the kernel when memory is short; the kernel tells of no such end while it ran";
  const where = inContainer ? "its container" : "it";
  return `${where} could use ${mib(limitBytes)} of memory; if that was too little, raise ramMax in the tool`;
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
