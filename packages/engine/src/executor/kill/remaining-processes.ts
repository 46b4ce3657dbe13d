import type { JobSelector, KillReport, KillTarget, Launch } from "../executor.ts";
import type { Clock } from "../tracker.ts";

/** Background processes, such as a filter at the end of a pipe, may finish within this time. */
const GRACE_MS = 5000;
const POLL_MS = 10;

type Attempt = Pick<Launch, "runId" | "jobId" | "attempt">;

export interface RemainingProcessesOptions {
  /** True if any process of an ended attempt is still alive. `group`: the process group led by its wrapper. */
  readonly isLeft: (attempt: Attempt, group: number) => boolean;
  readonly kill: (target: KillTarget) => Promise<KillReport>;
  /** Called with the processes that were killed. */
  readonly ended: (attempt: Attempt, report: KillReport) => void;
  readonly clock: Clock;
}

interface Watched extends Attempt {
  readonly group: number;
  readonly sinceMs: number;
}

/**
 * Kills processes that outlive the program of their job, such as a daemon or a background loop. Nothing waits for them,
 * and the scheduler does not count them, so they are killed after a grace period.
 */
export class RemainingProcesses {
  readonly #options: RemainingProcessesOptions;
  readonly #watched = new Set<Watched>();
  readonly #endings = new Set<Promise<void>>();

  constructor(options: RemainingProcessesOptions) {
    this.#options = options;
  }

  /** Call when the program of an attempt has exited. */
  watch({ runId, jobId, attempt }: Attempt, group: number): void {
    this.#watched.add({ runId, jobId, attempt, group, sinceMs: this.#options.clock.now() });
  }

  look(): void {
    for (const watched of this.#watched) {
      const isLeft = this.#options.isLeft(watched, watched.group);
      if (isLeft && this.#options.clock.now() - watched.sinceMs < GRACE_MS) continue;
      this.#watched.delete(watched);
      if (isLeft) this.#begin(this.#end(watched));
    }
  }

  /** Resolves when all processes of all attempts have exited. */
  async close(): Promise<void> {
    for (this.look(); this.#watched.size > 0; this.look()) await this.#options.clock.pause(POLL_MS);
    await Promise.all(this.#endings);
  }

  #begin(ending: Promise<void>): void {
    this.#endings.add(ending);
    void ending.finally(() => this.#endings.delete(ending));
  }

  async #end({ runId, jobId, attempt }: Watched): Promise<void> {
    const { kill, ended } = this.#options;
    const place: JobSelector = { runId, job: { jobId, attempt } };
    const report = await kill({ ...place, graceMs: 0 });
    if (report.jobs.length > 0) ended({ runId, jobId, attempt }, report);
  }
}
