import { setTimeout as pause } from "node:timers/promises";
import type { KillEvidence } from "@weft/shared/records/kill-record.ts";
import type { KilledJob, KillReport } from "./executor.ts";

/**
 * The number of consecutive searches that must find nothing: during a single search, a process may move to a folder or
 * group that has already been searched.
 */
const EMPTY_LOOKS = 3;
/** The time after the grace time until the caller is informed that a process cannot be ended. */
const GIVE_UP_MS = 60_000;

export interface Clock {
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Rejects when the signal aborts. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

export const MACHINE_CLOCK: Clock = {
  now: () => performance.now(),
  pause: (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }),
};

type KillSignal = KilledJob["signals"][number];

/** A process, container or task that has not ended. */
export interface Remnant {
  /** A number is a process id. */
  readonly id: string | number;
  /**
   * The attempts of the process as `jobId/attempt`; an empty string if it names none. Other attempts are not reported.
   */
  readonly jobs: readonly string[];
}

export interface Look<Found extends Remnant = Remnant> {
  readonly found: readonly Found[];
  /** False if a part of the system did not respond, so there may be more: the search then proves nothing. */
  readonly isWhole: boolean;
}

/** Possible remains of a run or an attempt on one machine or backend, and the way to end them. */
export interface Remains<Found extends Remnant = Remnant> {
  readonly evidence: readonly KillEvidence[];
  /** The time between two searches, after one that found something and after an empty one. */
  readonly pauseMs: { readonly found: number; readonly empty: number };
  look(): Promise<Look<Found>>;
  /** Asks the found processes to end, or forces them to end after the grace time. Returns the signals that were sent. */
  end(found: readonly Found[], isForced: boolean): Promise<Signaled> | Signaled;
}

export type Signaled = Readonly<Partial<Record<KillSignal, readonly Remnant[]>>>;

export interface Ending {
  readonly graceMs: number;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Aborted when no caller waits any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ends all remains on one machine or backend: asks first, forces after the grace time, repeats until three complete
 * searches in a row find nothing. That alone proves the end.
 */
export async function endAll<Found extends Remnant>(remains: Remains<Found>, ending: Ending): Promise<KillReport> {
  const { graceMs, clock = MACHINE_CLOCK, signal } = ending;
  const { evidence, pauseMs } = remains;
  const tally = new Tally();
  const startMs = clock.now();
  let empty = 0;
  for (let isFirst = true; ; isFirst = false) {
    const lookMs = clock.now();
    const { found, isWhole } = await remains.look();
    const nowMs = clock.now();
    tally.see(found, isWhole);
    empty = found.length > 0 ? 0 : empty + Number(isWhole);
    const proven = empty >= EMPTY_LOOKS;
    const isGivenUp = empty === 0 && nowMs - startMs > graceMs + GIVE_UP_MS;
    if (proven || isGivenUp || signal?.aborted === true)
      return {
        proven,
        evidence,
        jobs: tally.jobs,
        left: found.flatMap(({ id }) => (typeof id === "number" ? id : [])),
      };
    const graceLeftMs = graceMs - (nowMs - startMs);
    const isForced = !isFirst && graceLeftMs <= 0;
    if (found.length > 0) tally.signaled(await remains.end(found, isForced));
    if (empty > 0) await wait(pauseMs.empty);
    else if (isForced || !isWhole) await wait(pauseMs.found);
    // With thousands of processes, looking must not take more than half of the time.
    else await wait(Math.min(Math.max(pauseMs.found, nowMs - lookMs), graceLeftMs));
  }

  /** Closing the executor ends the wait, too. */
  async function wait(ms: number): Promise<void> {
    if (ms > 0) await clock.pause(ms, signal).catch(() => {});
  }
}

/** The end of a run or an attempt on several backends is proven only if each of them proves it. */
export function mergeReports(reports: readonly KillReport[]): KillReport {
  return {
    proven: reports.every(({ proven }) => proven),
    evidence: [...new Set(reports.flatMap(({ evidence }) => evidence))],
    jobs: reports.flatMap(({ jobs }) => jobs),
    left: reports.flatMap(({ left }) => left),
  };
}

/** Repeats until the end is proven, because only the report is proof. `isPointless`: no caller waits for it any more. */
export async function untilProven(
  cancel: () => Promise<KillReport>,
  isPointless: () => boolean,
  onUnproven: (report: KillReport) => void,
): Promise<KillReport> {
  for (;;) {
    const report = await cancel();
    if (report.proven || isPointless()) return report;
    onUnproven(report);
  }
}

interface JobTally {
  readonly found: Set<Remnant["id"]>;
  readonly killed: Set<Remnant["id"]>;
  readonly signals: Set<KillSignal>;
  /** The number of consecutive complete searches that did not find it. */
  empty: number;
  confirmedMs: number | null;
}

/** Counts, for each job, the found processes, the signals that they got, and the time since which none is left. */
class Tally {
  readonly #jobs = new Map<string, JobTally>();
  /** A process that clears its environment keeps the job under which it was seen first. */
  readonly #names = new Map<Remnant["id"], readonly string[]>();

  see(found: readonly Remnant[], isWhole: boolean): void {
    const seen = new Set(found.flatMap((remnant) => this.#add(remnant)));
    for (const [name, tally] of this.#jobs) {
      if (seen.has(name)) Object.assign(tally, { empty: 0, confirmedMs: null });
      else if (isWhole && ++tally.empty === EMPTY_LOOKS) tally.confirmedMs = Date.now();
    }
  }

  signaled(signals: Signaled): void {
    for (const signal of ["SIGTERM", "SIGKILL"] as const)
      for (const { id } of signals[signal] ?? [])
        for (const name of this.#names.get(id) ?? []) {
          const tally = this.#jobs.get(name);
          tally?.signals.add(signal);
          if (signal === "SIGKILL") tally?.killed.add(id);
        }
  }

  /** The jobs with found processes. A process that names no job has an empty id and attempt 0. */
  get jobs(): readonly KilledJob[] {
    return [...this.#jobs].map(([name, { found, killed, signals, confirmedMs }]) => ({
      jobId: name.slice(0, Math.max(0, name.lastIndexOf("/"))),
      attempt: Number(name.slice(name.lastIndexOf("/") + 1)),
      signals: [...signals],
      found: found.size,
      killed: killed.size,
      confirmedMs,
    }));
  }

  #add({ id, jobs }: Remnant): readonly string[] {
    const names = this.#names.get(id) ?? jobs;
    this.#names.set(id, names);
    for (const name of names) {
      const tally = this.#jobs.get(name) ?? newTally();
      this.#jobs.set(name, tally);
      tally.found.add(id);
    }
    return names;
  }
}

function newTally(): JobTally {
  return { found: new Set(), killed: new Set(), signals: new Set(), empty: 0, confirmedMs: null };
}
