import type { KilledJob } from "../executor.ts";
import type { FoundProcess } from "./job-processes.ts";

/** Number of consecutive looks that must find nothing. */
export const EMPTY_SCANS = 3;

interface Tally {
  readonly pids: Set<number>;
  readonly killed: Set<number>;
  readonly signals: Set<KilledJob["signals"][number]>;
  /** Number of consecutive looks that found nothing. */
  empty: number;
  confirmedMs: number | null;
}

/** Counts per job what was found, what was done to it, and since when nothing is left. */
export class KillTally {
  readonly #jobs = new Map<string, Tally>();
  /** A process that clears its environment keeps the job under which it was seen first. */
  readonly #names = new Map<number, string>();

  /** The result of one look at all processes. */
  see(found: readonly FoundProcess[], nowMs: number): void {
    const seen = new Set(found.map((process) => this.#add(process)));
    for (const [name, tally] of this.#jobs) {
      if (seen.has(name)) {
        tally.empty = 0;
        tally.confirmedMs = null;
      } else if (++tally.empty === EMPTY_SCANS) tally.confirmedMs = nowMs;
    }
  }

  signalled(found: readonly FoundProcess[], signal: KilledJob["signals"][number]): void {
    for (const { pid } of found) {
      const tally = this.#jobs.get(this.#names.get(pid) ?? "");
      tally?.signals.add(signal);
      if (signal === "SIGKILL") tally?.killed.add(pid);
    }
  }

  /** The jobs of which anything was found; an unnamed one is reported with an empty id and attempt 0. */
  get jobs(): readonly KilledJob[] {
    return [...this.#jobs].map(([name, { pids, killed, signals, confirmedMs }]) => ({
      ...parseName(name),
      signals: [...signals],
      found: pids.size,
      killed: killed.size,
      confirmedMs,
    }));
  }

  #add({ pid, job }: FoundProcess): string {
    const name = this.#names.get(pid) ?? job ?? "";
    this.#names.set(pid, name);
    const tally = this.#jobs.get(name) ?? newTally();
    this.#jobs.set(name, tally);
    tally.pids.add(pid);
    return name;
  }
}

function newTally(): Tally {
  return { pids: new Set(), killed: new Set(), signals: new Set(), empty: 0, confirmedMs: null };
}

function parseName(name: string): { readonly jobId: string; readonly attempt: number } {
  const slash = name.lastIndexOf("/");
  return { jobId: name.slice(0, Math.max(0, slash)), attempt: Number(name.slice(slash + 1)) };
}
