import { NOTHING_MEASURED, type BackendCause, type JobExit } from "../executor.ts";
import type { FinalState, TaskLog } from "./task-view.ts";

export interface EndedTask {
  readonly id: string;
  readonly state: FinalState;
  readonly log: TaskLog | undefined;
  /** Weft canceled the task. */
  readonly isKilled: boolean;
}

/** Messages of servers and their backends for a job that exceeded its memory. */
const OUT_OF_MEMORY = /\bOOM[ -]?Kill(?:ed)?\b|\bout of memory\b/i;

/** The end of a job according to the end of its task. The program's own exit code takes precedence if it is reported. */
export function judgeTask(task: EndedTask): JobExit {
  const { state, log, isKilled } = task;
  switch (state) {
    case "COMPLETE":
      // With `ignore_error`, the state is independent of the program's exit code.
      if (log?.exitCode !== undefined) return exited(log.exitCode, task);
      return lost(task, "BACKEND_LOST", "the exit code of the job's program was not reported", NO_LOG_HINT);
    case "EXECUTOR_ERROR":
      if (log?.exitCode !== undefined && log.exitCode !== 0) return exited(log.exitCode, task);
      return lost(
        task,
        "BACKEND_LOST",
        "the job's program did not run, or its exit code was not reported",
        NO_CODE_HINT,
      );
    case "SYSTEM_ERROR":
      return lost(task, "BACKEND_LOST", "the TES server could not run the job", SYSTEM_HINT);
    case "PREEMPTED":
      return lost(task, "PREEMPTED", "the TES server preempted the job", "run again");
    case "CANCELED":
      if (isKilled) return { kind: "lost" };
      return lost(task, "BACKEND_LOST", "someone else canceled the job at the TES server", CANCELED_HINT);
  }
}

/** The end of a job whose task is no longer known to its server. */
export function forgottenTask(id: string): JobExit {
  const message = `the TES server no longer knows the job's task ${id}`;
  return { kind: "lost", cause: { code: "BACKEND_LOST", message, hint: "it was removed there; run again" } };
}

const NO_LOG_HINT =
  "without an exit code, success and failure look the same; the TES server must keep the logs of its executors";
const NO_CODE_HINT = "often the image does not exist or lacks the program; read the server's message";
const SYSTEM_HINT = "the usual cause is inputs that its workers cannot see: see `storage` in docs/how-to/use-tes.md";
const CANCELED_HINT = "run again; if nobody did this, ask the administrator of the server";

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
    message: `the job used more memory than the TES server had reserved for it (${wordsOf(task)})`,
    hint: "raise ramMin in the tool, or let the run retry with more memory (on_out_of_memory)",
  };
}

/** The message of a failed task: only the last lines, which usually describe the failure. */
function wordsOf({ id, state, log }: EndedTask): string {
  const last = (log?.system ?? []).join(" ").replaceAll(/\s+/g, " ").trim();
  const words = last.length > 500 ? `… ${last.slice(-500)}` : last;
  return `task ${id}: ${state}${words === "" ? "" : `, ${words}`}`;
}
