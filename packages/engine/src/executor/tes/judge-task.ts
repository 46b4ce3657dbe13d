import { NOTHING_MEASURED } from "../executor.ts";
import type { BackendCause, JobExit } from "../executor.ts";
import type { FinalState, TaskLog } from "./task-view.ts";

export interface EndedTask {
  readonly id: string;
  readonly state: FinalState;
  readonly log: TaskLog | undefined;
  /** It was told to end by Weft. */
  readonly isKilled: boolean;
}

/** Words of servers and of what runs below them for a job that used more memory than it had. */
const OUT_OF_MEMORY = /\bOOM[ -]?Kill(?:ed)?\b|\bout of memory\b/i;

/** What the end of a task means for its job. The program's own exit code decides wherever it is told. */
export function judgeTask(task: EndedTask): JobExit {
  const { state, log, isKilled } = task;
  switch (state) {
    case "COMPLETE":
      // With `ignore_error` it says nothing about the program, whose code may be any.
      if (log?.exitCode !== undefined) return exited(log.exitCode, task);
      return lost(task, "BACKEND_LOST", "the exit code of the job's program is not told", NO_LOG_HINT);
    case "EXECUTOR_ERROR":
      if (log?.exitCode !== undefined && log.exitCode !== 0) return exited(log.exitCode, task);
      return lost(task, "BACKEND_LOST", "the job's program did not run, or its exit code is not told", NO_CODE_HINT);
    case "SYSTEM_ERROR":
      return lost(task, "BACKEND_LOST", "the TES server could not run the job", SYSTEM_HINT);
    case "PREEMPTED":
      return lost(task, "PREEMPTED", "the TES server gave the job's place to another", "run again");
    case "CANCELED":
      if (isKilled) return { kind: "lost" };
      return lost(task, "BACKEND_LOST", "the job was canceled at the TES server by somebody else", CANCELED_HINT);
  }
}

/** A task that its server does not know any more. */
export function forgottenTask(id: string): JobExit {
  const message = `the TES server does not know the job's task ${id} any more`;
  return { kind: "lost", cause: { code: "BACKEND_LOST", message, hint: "it was removed there; run again" } };
}

const NO_LOG_HINT =
  "without one nobody can tell success from failure; the TES server must keep the logs of its executors";
const NO_CODE_HINT = "often the image does not exist or has no such program; read what the server says";
const SYSTEM_HINT = "inputs that its workers do not see are the usual cause: see `storage` in docs/backends/tes.md";
const CANCELED_HINT = "run again; where nobody did it, ask whoever runs the server";

function exited(exitCode: number, task: EndedTask): JobExit {
  const cause = exitCode !== 0 && !task.isKilled ? memoryCause(task) : undefined;
  return { kind: "exited", exitCode, used: NOTHING_MEASURED, ...(cause === undefined ? {} : { cause }) };
}

function lost(task: EndedTask, code: BackendCause["code"], message: string, hint: string): JobExit {
  if (task.isKilled) return { kind: "lost" };
  return { kind: "lost", cause: memoryCause(task) ?? { code, message: `${message} (${wordsOf(task)})`, hint } };
}

function memoryCause(task: EndedTask): BackendCause | undefined {
  if (!task.log?.system.some((line) => OUT_OF_MEMORY.test(line))) return undefined;
  return {
    code: "OUT_OF_MEMORY",
    message: `the job used more memory than the TES server had set aside for it (${wordsOf(task)})`,
    hint: "raise ramMin in the tool, or let the run try again with more memory (on_out_of_memory)",
  };
}

/** The last words say what went wrong; a log of thousands of lines is no sentence. */
function wordsOf({ id, state, log }: EndedTask): string {
  const last = (log?.system ?? []).join(" ").replaceAll(/\s+/g, " ").trim();
  const words = last.length > 500 ? `… ${last.slice(-500)}` : last;
  return `task ${id}: ${state}${words === "" ? "" : `, ${words}`}`;
}
