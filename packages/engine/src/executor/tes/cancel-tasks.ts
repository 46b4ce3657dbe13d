import type { KilledJob, KillReport } from "../executor.ts";
import type { TesNote } from "./task-note.ts";
import { isFinalState } from "./task-view.ts";
import type { TesClient } from "./tes-client.ts";
import type { TesClock } from "./tes-watch.ts";

/** An attempt whose tasks should end. */
export interface CancelTarget {
  readonly job: Pick<KilledJob, "jobId" | "attempt">;
  /** As noted in its folder. */
  readonly note: () => TesNote | undefined;
  /** Whether it is being posted. */
  readonly isPosting: () => boolean;
}

export interface Cancelling {
  readonly client: Pick<TesClient, "task" | "find" | "cancel">;
  readonly clock: TesClock;
  readonly graceMs: number;
  /** Aborted when no caller waits any more. */
  readonly signal: AbortSignal;
}

const LOOK_MS = 250;
const GIVE_UP_MS = 60_000;
/** The server may have accepted a task moments ago without listing it yet. */
const EMPTY_LOOKS = 3;

/**
 * Cancels tasks of a TES server repeatedly until the server reports each as ended, or lists none three times in a row.
 * The response to the cancel request itself proves nothing: some servers fail it for ended tasks, and others accept it
 * for tasks that do not exist.
 */
export async function cancelTasks(targets: readonly CancelTarget[], cancelling: Cancelling): Promise<KillReport> {
  const { clock, graceMs, signal } = cancelling;
  const ends = targets.map((target) => new TargetEnd(target, cancelling.client));
  const deadline = clock.now() + graceMs + GIVE_UP_MS;
  for (;;) {
    await Promise.all(ends.map((end) => end.look()));
    const proven = ends.every(({ isOver }) => isOver);
    // Task ids are not process ids.
    if (proven || clock.now() > deadline || signal.aborted)
      return {
        proven,
        evidence: ends.length === 0 ? [] : ["tes"],
        jobs: ends.flatMap((end) => end.report()),
        left: [],
      };
    // Closing the executor ends the wait too.
    await clock.pause(LOOK_MS, signal).catch(() => {});
  }
}

class TargetEnd {
  readonly #target: CancelTarget;
  readonly #client: Cancelling["client"];
  readonly #found = new Set<string>();
  #emptyLooks = 0;
  #confirmedMs: number | null = null;

  constructor(target: CancelTarget, client: Cancelling["client"]) {
    this.#target = target;
    this.#client = client;
  }

  get isOver(): boolean {
    return this.#confirmedMs !== null;
  }

  async look(): Promise<void> {
    if (this.isOver || this.#target.isPosting()) return;
    const note = this.#target.note();
    // It was given up before anything was posted.
    if (note === undefined) this.#confirmedMs = Date.now();
    else await this.#lookFor(note);
  }

  async #lookFor(note: TesNote): Promise<void> {
    const listed = await this.#client.find(note.key);
    if (listed.kind !== "answered") return;
    const ids = new Set([...listed.value.map(({ id }) => id), ...(note.id === undefined ? [] : [note.id])]);
    const left = await Promise.all([...ids].map((id) => this.#end(id)));
    this.#emptyLooks = left.every((found) => found === "absent") ? this.#emptyLooks + 1 : 0;
    const haveEnded = left.length > 0 && left.every((found) => found !== "active") && left.includes("ended");
    if (haveEnded || this.#emptyLooks >= EMPTY_LOOKS) this.#confirmedMs = Date.now();
  }

  /** None if nothing had to be ended. */
  report(): readonly KilledJob[] {
    if (this.#found.size === 0) return [];
    // A server does not report which signals it sends.
    return [{ ...this.#target.job, signals: [], found: this.#found.size, killed: 0, confirmedMs: this.#confirmedMs }];
  }

  /** Unknown states count as active. */
  async #end(id: string): Promise<"active" | "ended" | "absent"> {
    const answer = await this.#client.task(id, "MINIMAL");
    if (answer.kind === "absent") return "absent";
    if (answer.kind === "answered" && isFinalState(answer.value.state)) return "ended";
    // A server that says nothing may have ended it long ago.
    if (answer.kind === "answered") this.#found.add(id);
    await this.#client.cancel(id);
    return "active";
  }
}
