import type { JobSelector, KillReport, KillTarget, Launch } from "../executor.ts";
import type { Clock } from "./end-processes.ts";

/** Background processes may finish within this time, as a filter at the end of a pipe does. */
const GRACE_MS = 5000;
const POLL_MS = 10;

type Attempt = Pick<Launch, "runId" | "jobId" | "attempt">;

export interface LeftoversOptions {
  /** Whether any process of an ended attempt is still alive; `group`: the process group led by its wrapper. */
  readonly isLeft: (attempt: Attempt, group: number) => boolean;
  readonly kill: (target: KillTarget) => Promise<KillReport>;
  /** Called with what had to be ended. */
  readonly ended: (attempt: Attempt, report: KillReport) => void;
  readonly clock: Clock;
}

interface Watched extends Attempt {
  readonly group: number;
  readonly sinceMs: number;
}

/**
 * Attempts whose program has ended while processes that it started still run: a daemon, a server, a background loop.
 * Nobody waits for them, and no queue counts them, so they are ended after a grace time.
 */
export class Leftovers {
  readonly #options: LeftoversOptions;
  readonly #watched = new Set<Watched>();
  readonly #endings = new Set<Promise<void>>();

  constructor(options: LeftoversOptions) {
    this.#options = options;
  }

  /** The program of an attempt has ended. */
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

  /** Resolves when no attempt has any process left. */
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
