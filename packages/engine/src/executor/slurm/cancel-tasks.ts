import type { KilledJob, KillReport } from "../executor.ts";
import { EMPTY_SCANS } from "../kill/kill-tally.ts";
import type { QueuedTask } from "./queue-lines.ts";
import type { SlurmClient } from "./slurm-client.ts";
import type { WatchClock } from "./task-watch.ts";

export interface Cancelling {
  readonly client: Pick<SlurmClient, "cancel">;
  /** A look at the queue; undefined: no response. */
  readonly look: () => Promise<readonly QueuedTask[] | undefined>;
  readonly clock: WatchClock;
  readonly graceMs: number;
  readonly isMeant: (task: QueuedTask) => boolean;
  /** The attempts in a task; none if unknown. */
  readonly jobsOf: (task: QueuedTask) => readonly Pick<KilledJob, "jobId" | "attempt">[];
  /** Aborted when no caller waits any more. */
  readonly signal: AbortSignal;
}

const LOOK_MS = 250;
const GIVE_UP_MS = 60_000;

/**
 * Ends Slurm tasks: cancels them, kills those still running after the grace time, and repeats until three looks in a
 * row at the queue find none. A look without a response proves nothing.
 */
export async function cancelTasks(cancelling: Cancelling): Promise<KillReport> {
  const { look, clock, graceMs, isMeant, signal } = cancelling;
  const rounds = new CancelRounds(cancelling);
  const deadline = clock.now() + graceMs + GIVE_UP_MS;
  for (;;) {
    const queue = await look();
    if (queue !== undefined && (await rounds.observe(queue.filter(isMeant)))) return rounds.report(true);
    if (clock.now() > deadline || signal.aborted) return rounds.report(false);
    // Closing the executor ends the wait too.
    await clock.pause(LOOK_MS, signal).catch(() => {});
  }
}

class CancelRounds {
  readonly #cancelling: Cancelling;
  readonly #beganMs: number;
  readonly #found = new Map<string, QueuedTask>();
  readonly #killed = new Set<string>();
  #empty = 0;

  constructor(cancelling: Cancelling) {
    this.#cancelling = cancelling;
    this.#beganMs = cancelling.clock.now();
  }

  /** True once nothing is left. */
  async observe(left: readonly QueuedTask[]): Promise<boolean> {
    const { client, clock, graceMs } = this.#cancelling;
    this.#empty = left.length === 0 ? this.#empty + 1 : 0;
    const isLate = clock.now() - this.#beganMs >= graceMs;
    const late = left.filter(({ id, state }) => isLate && this.#found.has(id) && state !== "PENDING");
    for (const { id } of late) this.#killed.add(id);
    // Signals all of them again, because the command may have failed.
    await client.cancel(idsOf(left.filter(({ id }) => !this.#killed.has(id))), false);
    await client.cancel(idsOf(late), true);
    for (const task of left) this.#found.set(task.id, task);
    return this.#empty >= EMPTY_SCANS;
  }

  report(proven: boolean): KillReport {
    const jobs = [...this.#found.values()].flatMap((task) =>
      this.#cancelling.jobsOf(task).map((job) => this.#killedJob(job, task.id, proven)),
    );
    // Slurm's task names are not process ids.
    return { proven, evidence: ["slurm"], jobs, left: [] };
  }

  #killedJob({ jobId, attempt }: Pick<KilledJob, "jobId" | "attempt">, id: string, proven: boolean): KilledJob {
    const isKilled = this.#killed.has(id);
    return {
      jobId,
      attempt,
      signals: isKilled ? ["SIGTERM", "SIGKILL"] : ["SIGTERM"],
      found: 1,
      killed: isKilled ? 1 : 0,
      confirmedMs: proven ? Date.now() : null,
    };
  }
}

function idsOf(tasks: readonly QueuedTask[]): readonly string[] {
  return tasks.map(({ id }) => id);
}
