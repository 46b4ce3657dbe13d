import type { NewEvent } from "../journal/journal-event.ts";
import type { RunLog } from "../journal/run-log.ts";
import type { Log } from "../log.ts";
import { identify } from "./job-events.ts";
import type { JobIdentity } from "./job-events.ts";

/** What is over sooner has no event of its own. */
const BRIEF_MS = 100;

type Fact = Extract<NewEvent, { readonly type: "job.running" | "job.exited" }>;

interface NotedFact {
  readonly atMs: number;
  readonly event: (lateMs: number) => Fact;
}

interface FactServices extends Pick<RunLog, "journal"> {
  readonly log: Log;
}

/**
 * Records that the program of an attempt runs, and that it has exited, if this lasts. Nothing waits for these events, and
 * the end of a trivial job says the same: without them, such a job has three events instead of five.
 */
export class LastingFacts {
  readonly #job: JobIdentity;
  readonly #services: FactServices;
  #noted: NotedFact[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Since when the program runs, as long as no event says so. */
  #sinceMs: number | undefined;
  #isOver = false;

  constructor(job: JobIdentity, services: FactServices) {
    this.#job = job;
    this.#services = services;
  }

  /** `isRemote`: recorded at once, because its ID leads to it while it waits in a queue elsewhere. */
  runs(nativeId: string, { isRemote }: { readonly isRemote: boolean }): void {
    if (this.#isOver) return;
    const data = { native_id: nativeId };
    this.#sinceMs = this.#services.journal.nowMs();
    this.#note((lateMs) => ({ type: "job.running", ...identify(this.#job), data: { ...data, ...late(lateMs) } }));
    if (isRemote) this.record();
  }

  exited(exitCode: number, signal: number | null): void {
    const data = { exit_code: exitCode, signal };
    this.#note((lateMs) => ({ type: "job.exited", ...identify(this.#job), data: { ...data, ...late(lateMs) } }));
  }

  /** Records what has been noted. */
  record(): void {
    clearTimeout(this.#timer);
    if (this.#noted.length === 0) return;
    const events = this.#noted.map(({ atMs, event }) => event(this.#msSince(atMs)));
    this.#noted = [];
    this.#sinceMs = undefined;
    const { runId, jobId } = this.#job;
    this.#services.journal.append(events).catch((error: unknown) => {
      const fields = { run_id: runId, job_id: jobId, error: String(error) };
      this.#services.log("warn", "a fact about a job was not recorded", fields);
    });
  }

  /** The attempt is over. Returns how many milliseconds ago its program began, if no event says so. */
  end(): number | undefined {
    clearTimeout(this.#timer);
    this.#noted = [];
    this.#isOver = true;
    return this.#sinceMs === undefined ? undefined : this.#msSince(this.#sinceMs);
  }

  /** The clock of a run on the command line may be set back. */
  #msSince(atMs: number): number {
    return Math.max(0, this.#services.journal.nowMs() - atMs);
  }

  #note(event: NotedFact["event"]): void {
    this.#noted.push({ atMs: this.#services.journal.nowMs(), event });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.record(), BRIEF_MS);
  }
}

function late(lateMs: number) {
  return lateMs > 0 ? { late_ms: lateMs } : {};
}
