import type { JobSelector, Launch } from "./executor.ts";
import { jobName } from "./job-marker.ts";
import type { ProcessTable } from "./kill/end-processes.ts";
import type { FoundProcess } from "./kill/job-processes.ts";
import { stampOf } from "./kill/job-stamp.ts";

interface Wrapper {
  readonly launch: Pick<Launch, "runId" | "jobId" | "attempt">;
  /** Told once when the process is gone without having said so. */
  readonly gone?: () => void;
}

/**
 * The wrappers that run now. A wrapper is a fork of the supervisor, so neither its environment nor its limits show whose it
 * is; it must be ended with its job all the same, lest it starts the program after everybody has looked.
 */
export class WrapperTable {
  readonly #wrappers = new Map<number, Wrapper>();
  readonly #pids = new Map<Wrapper, number>();

  add(pid: number, wrapper: Wrapper): void {
    this.#wrappers.set(pid, wrapper);
    this.#pids.set(wrapper, pid);
  }

  /** It has said that it ends: its process id may be given to another process from now on. */
  drop(wrapper: Wrapper): void {
    const pid = this.#pids.get(wrapper);
    if (pid !== undefined) this.#wrappers.delete(pid);
    this.#pids.delete(wrapper);
  }

  /** The living ones of a run or an attempt. */
  of(place: JobSelector): readonly FoundProcess[] {
    return this.#wrappersOf(place)
      .filter(([pid]) => lives(pid))
      .map(([pid, { launch }]) => ({ pid, job: jobName(launch) }));
  }

  /** Drops what has ended; one that was killed could not say so itself. */
  forgetGone(): void {
    for (const [pid, wrapper] of this.#wrappers) {
      if (lives(pid)) continue;
      this.drop(wrapper);
      wrapper.gone?.();
    }
  }

  /** A process table in which the wrappers count as found; what is in a wrapper's group is killed with it. */
  with(table: ProcessTable): ProcessTable {
    return {
      evidence: table.evidence,
      find: async (place) => {
        const found = await table.find(place);
        const known = this.of(place);
        const pids = new Set(known.map(({ pid }) => pid));
        return [...known, ...found.filter(({ pid }) => !pids.has(pid)).map((process) => this.#named(process, place))];
      },
      holdsOthers: (pid) => table.holdsOthers?.(pid) === true,
      signal: (pid, signal) => table.signal(signal === "SIGKILL" && this.#wrappers.has(pid) ? -pid : pid, signal),
    };
  }

  /** One that has cleared its environment is known by its stamp, as long as its job runs. */
  #named(process: FoundProcess, place: JobSelector): FoundProcess {
    if (process.job !== undefined) return process;
    if (place.job !== undefined) return { ...process, job: jobName(place.job) };
    const owner = this.#wrappersOf(place).find(([, { launch }]) => stampOf(launch.runId, launch) === process.stamp);
    return owner === undefined ? process : { ...process, job: jobName(owner[1].launch) };
  }

  #wrappersOf({ runId, job }: JobSelector): readonly (readonly [number, Wrapper])[] {
    return [...this.#wrappers].filter(
      ([, { launch }]) => launch.runId === runId && (job === undefined || jobName(launch) === jobName(job)),
    );
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
