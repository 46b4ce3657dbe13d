import { randomUUID } from "node:crypto";
import { Gate } from "../../async/gate.ts";
import type { Log } from "../../log.ts";
import { batchTasks } from "./batch-tasks.ts";
import { NAME_PREFIX } from "./queue-lines.ts";
import type { Batch } from "./sbatch-request.ts";
import type { SlurmClient, Submitted } from "./slurm-client.ts";
import type { SlurmSettings } from "./slurm-settings.ts";
import type { SlurmTask } from "./slurm-task.ts";
import { keepNote } from "./task-note.ts";
import type { Clock } from "../tracker.ts";

export interface SubmissionOptions {
  readonly client: Pick<SlurmClient, "submit" | "queue">;
  readonly settings: SlurmSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** Slurm has the tasks. */
  readonly onAccepted: (tasks: readonly SlurmTask[]) => void;
}

/** Attempts started within this time may share an array. */
const GATHER_MS = 100;
/** Spares controllers of busy clusters: at most five arrays a second while many attempts wait. */
const BETWEEN_MS = 200;
/** Enough to keep a disk busy. */
const NOTES_AT_ONCE = 8;
/** Maximum delay between submissions after rejections. */
const RAREST_OFFER_MS = 60_000;

/**
 * Submits attempts to Slurm, one command at a time; what arrives meanwhile goes with the next. The array's name is in
 * the folders of its attempts before it is submitted. If the response is lost, the queue is searched for that name before
 * it is submitted again. An array with too many tasks for the site is split.
 */
export class Submissions {
  readonly #options: SubmissionOptions;
  readonly #closing = new AbortController();
  readonly #arraySize: ArraySize;
  #waiting: SlurmTask[] = [];
  /** Submissions in progress, with their decisions. */
  #underWay: { readonly tasks: readonly SlurmTask[]; readonly decided: Promise<void> } | undefined;
  #turn: Promise<void> | undefined;

  constructor(options: SubmissionOptions) {
    this.#options = options;
    this.#arraySize = new ArraySize(options.settings.arraySize);
  }

  add(task: SlurmTask): void {
    this.#waiting.push(task);
    this.#turn ??= this.#submitAll();
  }

  /** Withdraws attempts that have not been submitted; for one being submitted, resolves when that is decided. */
  withdraw(isMeant: (task: SlurmTask) => boolean): {
    readonly taken: readonly SlurmTask[];
    readonly settled: Promise<void>;
  } {
    const taken = this.#waiting.filter(isMeant);
    this.#waiting = this.#waiting.filter((task) => !isMeant(task));
    const meant = this.#underWay?.tasks.filter(isMeant) ?? [];
    for (const task of meant) task.isKilled = true;
    return { taken, settled: meant.length === 0 ? Promise.resolve() : (this.#underWay?.decided ?? Promise.resolve()) };
  }

  /** Resolves when no command is running; the next server finds what is waiting. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
  }

  async #submitAll(): Promise<void> {
    const { clock } = this.#options;
    try {
      for (let pauseMs = GATHER_MS; this.#waiting.length > 0; pauseMs = BETWEEN_MS) {
        await clock.pause(pauseMs, this.#closing.signal);
        const [first, ...others] = this.#batches();
        this.#waiting = others.flat(2);
        if (first === undefined) continue;
        const decided = this.#submit(first);
        this.#underWay = { tasks: first.flat(), decided };
        await decided;
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
    } finally {
      this.#turn = undefined;
      this.#underWay = undefined;
    }
  }

  #batches() {
    const { pack } = this.#options.settings;
    return batchTasks(this.#waiting, { arraySize: this.#arraySize.now, pack });
  }

  async #submit(tasks: readonly (readonly SlurmTask[])[]): Promise<void> {
    const [first] = tasks[0] ?? [];
    if (first === undefined) return;
    const { runId, size } = first.launch;
    const all = tasks.flat();
    const name = `${arrayPrefix(runId)}${randomUUID().slice(0, 8)}`;
    tasks.forEach((members, index) => {
      for (const task of members) task.note = { name, index, isPacked: members.length > 1 };
    });
    const failure = await keepNotes(all);
    if (failure !== undefined) return reject(all, failure);
    const batch = { name, size, tasks: tasks.map((members) => members.map(({ launch }) => launch.folder)) };
    const decided = await this.#untilDecided(batch, all);
    if (decided.kind === "too-many") return this.#part(all, tasks.length, decided.isForGood);
    if (decided.kind === "refused") return reject(all, decided.message);
    this.#arraySize.accepted();
    this.#options.onAccepted(all);
  }

  async #untilDecided(batch: Batch, tasks: readonly SlurmTask[]): Promise<Exclude<Submitted, { kind: "unknown" }>> {
    const { client, clock, settings, log } = this.#options;
    let logged = "";
    for (let pauseMs = settings.pollMs; ; pauseMs = Math.max(pauseMs, Math.min(2 * pauseMs, RAREST_OFFER_MS))) {
      const submitted: Submitted = await client.submit(batch);
      if (submitted.kind !== "unknown") return submitted;
      if (submitted.message !== logged)
        log("warn", "Slurm rejected a job for now; it will be submitted again", {
          name: batch.name,
          error: submitted.message,
        });
      logged = submitted.message;
      if (await this.#isThere(batch.name)) return { kind: "accepted" };
      if (tasks.every(({ isKilled }) => isKilled))
        return { kind: "refused", message: "its run ended before Slurm accepted it" };
      await clock.pause(pauseMs, this.#closing.signal);
    }
  }

  /** They were never submitted, so they may be grouped differently. */
  #part(tasks: readonly SlurmTask[], arraySize: number, isForGood: boolean): void {
    this.#arraySize.refused(arraySize, isForGood);
    for (const task of tasks) task.note = undefined;
    for (const task of tasks.filter(({ isKilled }) => isKilled)) task.end({ kind: "lost" });
    this.#waiting = [...tasks.filter(({ isKilled }) => !isKilled), ...this.#waiting];
  }

  /** Waits until Slurm reports whether it has the array. */
  async #isThere(name: string): Promise<boolean> {
    const { client, clock, settings } = this.#options;
    for (;;) {
      const queue = await client.queue();
      if (!("failure" in queue)) return queue.some((task) => task.name === name);
      await clock.pause(settings.pollMs, this.#closing.signal);
    }
  }
}

/** Prefix of the array names of a run. */
export function arrayPrefix(runId: string): string {
  return `${NAME_PREFIX}${runId}-`;
}

/** A disk error here is the reason why the jobs cannot be started. */
async function keepNotes(tasks: readonly SlurmTask[]): Promise<string | undefined> {
  const gate = new Gate(NOTES_AT_ONCE);
  const kept = tasks.map(({ launch, note }) => gate.pass(async () => note && keepNote(launch.folder, note)));
  const failed = (await Promise.allSettled(kept)).find(({ status }) => status === "rejected");
  return failed?.status === "rejected" ? String(failed.reason) : undefined;
}

function reject(tasks: readonly SlurmTask[], message: string): void {
  for (const task of tasks) task.end(task.isKilled ? { kind: "lost" } : { kind: "rejected", message });
}

/**
 * Maximum size of the next array. Sites limit arrays (MaxArraySize) and the pending jobs of an account (MaxSubmitJobs).
 * Neither is known in advance, so a rejected array is halved. A limit on arrays is permanent. A limit on jobs rises
 * with each job that ends, so arrays grow again.
 */
export class ArraySize {
  #most: number;
  #now: number;

  /** `most`: the limit in the site's settings. */
  constructor(most: number) {
    this.#most = most;
    this.#now = most;
  }

  get now(): number {
    return this.#now;
  }

  /** An array of this size was rejected for its size; `isForGood`: it always will be. */
  refused(tasks: number, isForGood: boolean): void {
    this.#now = Math.max(1, Math.floor(tasks / 2));
    if (isForGood) this.#most = this.#now;
  }

  accepted(): void {
    this.#now = Math.min(this.#most, this.#now * 2);
  }
}
