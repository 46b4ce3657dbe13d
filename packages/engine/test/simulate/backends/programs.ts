import type { Decisions } from "../machine/decisions.ts";
import type { EventLoop } from "../machine/event-loop.ts";
import type { Machine } from "../machine/machine.ts";
import type { FaultRates } from "../world/faults.ts";

/** One execution of the program of an attempt. */
export interface Execution {
  readonly runId: string;
  readonly jobId: string;
  readonly attempt: number;
  readonly where: string;
  /** A request that a TES server carried out long after Weft had stopped waiting for it. */
  readonly isStray: boolean;
  readonly beganMs: number;
  endedMs: number;
  isLive: boolean;
  /** The program has outlived the wrapper that would have recorded its end. */
  isOrphan: boolean;
  /** The program left no trace that a later server could find. */
  isForgotten: boolean;
  /** The program's exit code, once it is where Weft will find it. */
  recorded: number | undefined;
}

/** The behavior of a program in this attempt. */
export interface Behavior {
  readonly durationMs: number;
  readonly exitCode: number;
  /** Ignores SIGTERM. */
  readonly isDeaf: boolean;
  /** Never ends by itself while there are faults. */
  readonly hangs: boolean;
}

export interface ProgramsListener {
  /** A program still runs long after the server has asked it to end. */
  outlived(jobId: string): void;
  begun(execution: Execution, earlier: readonly Execution[]): void;
}

/** All programs that ever ran on any machine: the truth that Weft must find out. */
export class Programs {
  readonly #byJob = new Map<string, Execution[]>();
  readonly #loop: EventLoop;
  readonly #decisions: Decisions;
  readonly #rates: FaultRates;
  readonly #listener: ProgramsListener;

  constructor({ loop, decisions }: Machine, rates: FaultRates, listener: ProgramsListener) {
    this.#loop = loop;
    this.#decisions = decisions;
    this.#rates = rates;
    this.#listener = listener;
  }

  get all(): readonly Execution[] {
    return [...this.#byJob.values()].flat();
  }

  /** The records of exits on this machine were not synced. */
  losePower(): void {
    for (const execution of this.all) if (execution.where === "local") execution.recorded = undefined;
  }

  begin(at: Pick<Execution, "runId" | "jobId" | "attempt" | "where">, isStray = false): Execution {
    const key = `${at.runId}/${at.jobId}`;
    const earlier = this.#byJob.get(key) ?? [];
    const execution: Execution = {
      ...at,
      isStray,
      beganMs: this.#loop.nowMs,
      endedMs: 0,
      isLive: true,
      isOrphan: false,
      isForgotten: false,
      recorded: undefined,
    };
    this.#byJob.set(key, [...earlier, execution]);
    this.#listener.begun(execution, earlier);
    return execution;
  }

  outlived({ jobId }: Pick<Execution, "jobId">): void {
    this.#listener.outlived(jobId);
  }

  end(execution: Execution): void {
    execution.isLive = false;
    execution.endedMs = this.#loop.nowMs;
  }

  behave(): Behavior {
    const { rates, decisions } = { rates: this.#rates, decisions: this.#decisions };
    const durationMs = decisions.delayMs("program.duration", 3000, 40_000);
    const exitCode = decisions.happens("program.temporary", rates.temporary)
      ? TEMPORARY
      : decisions.happens("program.fails", rates.fails)
        ? 1
        : 0;
    const isDeaf = decisions.happens("program.deaf", rates.deaf);
    return { durationMs, exitCode, isDeaf, hangs: decisions.happens("program.hangs", rates.hangs) };
  }
}

/** The tools declare it in `temporaryFailCodes`. */
export const TEMPORARY = 75;

/** The attempt in the name of its folder, `…/RUN/jobs/JOB@ATTEMPT`. */
export function attemptOf(folder: string): Pick<Execution, "runId" | "jobId" | "attempt"> {
  const parts = folder.split("/");
  const name = parts.at(-1) ?? "";
  const at = name.lastIndexOf("@");
  return { runId: parts.at(-3) ?? "", jobId: name.slice(0, at), attempt: Number(name.slice(at + 1)) };
}

/** The output of every program of the simulation: its words, then the content of the files among them. */
export function printed(words: readonly string[], contentOf: (path: string) => string | undefined): string {
  return words.map((word) => contentOf(word) ?? `${word}\n`).join("");
}
