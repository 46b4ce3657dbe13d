import { Worker } from "node:worker_threads";
import type { JobSelector } from "../executor.ts";
import { sendSignal } from "../kill/end-processes.ts";
import type { ProcessTable } from "../kill/end-processes.ts";
import type { FoundProcess } from "../kill/job-processes.ts";
import type { TreeUses } from "../usage/tree-use.ts";
import { readFileSync } from "node:fs";

/** A request to the thread, with the type of its response. */
export interface ScanQuestions {
  readonly find: { readonly ask: JobSelector; readonly answer: readonly FoundProcess[] };
  readonly use: { readonly ask: readonly number[]; readonly answer: TreeUses };
}
type Kind = keyof ScanQuestions;

export type ScanQuestion = {
  [K in Kind]: { readonly id: number; readonly kind: K; readonly ask: ScanQuestions[K]["ask"] };
}[Kind];
export interface ScanAnswer {
  readonly id: number;
  readonly answer: ScanQuestions[Kind]["answer"];
}

interface Question {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Scans all processes in its own thread, which starts with the first request: with thousands of processes, a scan would
 * block the server for too long.
 */
export class ProcScanner {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #questions = new Map<number, Question>();

  readonly table: ProcessTable = {
    evidence: "scans",
    find: (place) => this.#ask("find", { runId: place.runId, job: place.job }),
    holdsOthers: (pid) => isSandbox(pid),
    signal: sendSignal,
  };

  /** Resources of the processes below each of these. */
  readonly use = (roots: readonly number[]): Promise<TreeUses> => this.#ask("use", roots);

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask<K extends Kind>(kind: K, ask: ScanQuestions[K]["ask"]): Promise<ScanQuestions[K]["answer"]> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#questions.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, kind, ask });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./proc-scan-worker.ts", import.meta.url));
    // Node's watch mode also sends messages through a worker's port.
    worker.on("message", (answer: ScanAnswer | object) => {
      if ("answer" in answer) this.#answer(worker, answer);
    });
    worker.on("error", (error) => this.#fail(worker, new Error("processes could not be scanned", { cause: error })));
    worker.on("exit", () => this.#fail(worker, new Error("the process scan was interrupted")));
    return worker;
  }

  #answer(worker: Worker, { id, answer }: ScanAnswer): void {
    // The worker answers each request with the matching response type.
    this.#questions.get(id)?.resolve(answer as never);
    this.#questions.delete(id);
    if (this.#questions.size === 0) worker.unref();
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#questions.values()) reject(error);
    this.#questions.clear();
  }
}

/**
 * Whether a process is the sandbox program (sandbox/) around a started job: if it dies, the kernel kills everything
 * inside. A sandbox program that has started nothing yet is an ordinary process. `proc`: path of the proc file system.
 */
export function isSandbox(pid: number, proc = "/proc"): boolean {
  if (read(`${proc}/${pid}/comm`) !== "bwrap") return false;
  const [first] = childrenOf(pid, proc);
  return first !== undefined && childrenOf(first, proc).length > 0;
}

function childrenOf(pid: number, proc: string): readonly number[] {
  const text = read(`${proc}/${pid}/task/${pid}/children`);
  return text === "" ? [] : text.split(" ").map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // The process has ended.
    return "";
  }
}
