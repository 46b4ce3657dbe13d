import { textOf } from "../process-files.ts";
import { ThreadPool } from "../../async/thread-pool.ts";
import { sendSignal, type ProcessTable } from "../kill/end-processes.ts";
import type { ScanTasks } from "./proc-scan-worker.ts";
import type { TreeUses } from "../usage/tree-use.ts";

/**
 * Scans all processes in its own thread, which starts with the first request: with thousands of processes, a scan would
 * block the server for too long.
 */
export class ProcScanner {
  readonly #thread = new ThreadPool({ script: new URL("./proc-scan-worker.ts", import.meta.url), width: 1 });

  readonly table: ProcessTable = {
    evidence: "scans",
    find: ({ runId, job }) => this.#ask("find", { runId, job }),
    holdsOthers: (pid) => isSandbox(pid),
    isEnding: (pid) => isEnding(pid),
    signal: sendSignal,
  };

  /** The resource use of the processes below each root. */
  readonly use = (roots: readonly number[]): Promise<TreeUses> => this.#ask("use", roots);

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #ask<Name extends keyof ScanTasks>(
    task: Name,
    ...args: Parameters<ScanTasks[Name]>
  ): Promise<ReturnType<ScanTasks[Name]>> {
    // The thread runs the task of this name, but messages are untyped.
    return (await this.#thread.ask({ queue: "", task, args })) as ReturnType<ScanTasks[Name]>;
  }
}

/**
 * Whether a process is the sandbox program (sandbox/) around a started job: if it dies, the kernel kills everything
 * inside. A sandbox program that has started nothing yet is an ordinary process. `proc`: path of the proc file system.
 */
export function isSandbox(pid: number, proc = "/proc"): boolean {
  if (textOf(`${proc}/${pid}/comm`).trim() !== "bwrap") return false;
  const [first] = childrenOf(pid, proc);
  return first !== undefined && childrenOf(first, proc).length > 0;
}

/**
 * Whether a process has lost its memory, and with it its environment, but has not ended: the first process of a sandbox
 * stays so until the kernel has killed all others in there. `proc`: path of the proc file system.
 */
export function isEnding(pid: number, proc = "/proc"): boolean {
  const stat = textOf(`${proc}/${pid}/stat`);
  const [state = "Z", ...numbers] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return /[^ZX]/.test(state) && numbers[VSIZE] === "0";
}

/** Place of the field `vsize` among those after the state (proc_pid_stat(5)). */
const VSIZE = 19;

function childrenOf(pid: number, proc: string): readonly number[] {
  const text = textOf(`${proc}/${pid}/task/${pid}/children`).trim();
  return text === "" ? [] : text.split(" ").map(Number);
}
