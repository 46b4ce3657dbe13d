import type { JobSelector, Launch } from "./executor.ts";
import { jobName } from "./job-marker.ts";
import { processLives } from "./job-record.ts";
import type { ProcessTable } from "./kill/end-processes.ts";
import type { FoundProcess } from "./kill/job-processes.ts";
import { stampOf } from "./kill/job-stamp.ts";

interface Wrapper {
  readonly launch: Pick<Launch, "runId" | "jobId" | "attempt">;
  /** Called once if the process disappeared without reporting its end. */
  readonly gone?: () => void;
}

/**
 * The wrappers of running jobs. A wrapper is a fork of the launcher, so neither its environment nor its limits identify
 * its job. It must be killed with its job, or it could start the program after everything else is dead.
 */
export class WrapperTable {
  readonly #wrappers = new Map<number, Wrapper>();
  readonly #pids = new Map<Wrapper, number>();

  add(pid: number, wrapper: Wrapper): void {
    this.#wrappers.set(pid, wrapper);
    this.#pids.set(wrapper, pid);
  }

  /** It has reported its end, so another process may get its process id. */
  drop(wrapper: Wrapper): void {
    const pid = this.#pids.get(wrapper);
    if (pid !== undefined) this.#wrappers.delete(pid);
    this.#pids.delete(wrapper);
  }

  /** The live wrappers of a run or an attempt. */
  of(place: JobSelector): readonly FoundProcess[] {
    return this.#wrappersOf(place)
      .filter(([pid]) => processLives(pid))
      .map(([pid, { launch }]) => ({ pid, job: jobName(launch) }));
  }

  /** Drops wrappers that have ended; a killed wrapper could not report its end. */
  forgetGone(): void {
    for (const [pid, wrapper] of this.#wrappers) {
      if (processLives(pid)) continue;
      this.drop(wrapper);
      wrapper.gone?.();
    }
  }

  /** A process table that includes the wrappers. Killing a wrapper kills its process group. */
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
      signal: (pid, signal) => {
        table.signal(signal === "SIGKILL" && this.#wrappers.has(pid) ? -pid : pid, signal);
      },
    };
  }

  /** While its job runs, a process that cleared its environment is identified by its stamp. */
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
