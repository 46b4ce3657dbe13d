import { randomUUID } from "node:crypto";
import type { Log } from "../../log.ts";
import { batchTasks } from "./batch-tasks.ts";
import { NAME_PREFIX } from "./queue-lines.ts";
import type { Batch } from "./sbatch-request.ts";
import type { SlurmClient, Submitted } from "./slurm-client.ts";
import type { SlurmSettings } from "./slurm-settings.ts";
import type { SlurmTask } from "./slurm-task.ts";
import { writeNote } from "./task-note.ts";
import type { WatchClock } from "./task-watch.ts";

export interface SubmissionOptions {
  readonly client: Pick<SlurmClient, "submit" | "queue">;
  readonly settings: SlurmSettings;
  readonly clock: WatchClock;
  readonly log: Log;
  /** Slurm has the tasks. */
  readonly onAccepted: (tasks: readonly SlurmTask[]) => void;
}

/** What is started within this time may become one array. */
const GATHER_MS = 100;
/** Controllers of busy clusters are spared while much waits to be submitted: at most five arrays a second. */
const BETWEEN_MS = 200;
/** What is not taken is offered less and less often, but this often at least. */
const RAREST_OFFER_MS = 60_000;

/**
 * Brings attempts to Slurm, one command at a time: what gathers while one runs goes with the next. The name of an array is in the
 * folders of its attempts before it is submitted; where the answer is lost, the queue is asked for that name before it is
 * submitted again. What has too many tasks for the site is parted.
 */
export class Submissions {
  readonly #options: SubmissionOptions;
  readonly #closing = new AbortController();
  readonly #arraySize: ArraySize;
  #waiting: SlurmTask[] = [];
  /** What is being handed over, and when that is decided. */
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

  /** Takes back what has not been handed over; what is being handed over is answered when it is decided. */
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

  /** Resolves when no command runs any more; what waits is found by the next server. */
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
    const failure = writeNotes(all);
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
    let told = "";
    for (let pauseMs = settings.pollMs; ; pauseMs = Math.max(pauseMs, Math.min(2 * pauseMs, RAREST_OFFER_MS))) {
      const submitted: Submitted = await client.submit(batch);
      if (submitted.kind !== "unknown") return submitted;
      if (submitted.message !== told)
        log("warn", "Slurm did not take a job; it is asked again", { name: batch.name, error: submitted.message });
      told = submitted.message;
      if (await this.#isThere(batch.name)) return { kind: "accepted" };
      if (tasks.every(({ isKilled }) => isKilled))
        return { kind: "refused", message: "its run was ended before Slurm took it" };
      await clock.pause(pauseMs, this.#closing.signal);
    }
  }

  /** They were never submitted: what they share with one another is decided anew. */
  #part(tasks: readonly SlurmTask[], arraySize: number, isForGood: boolean): void {
    this.#arraySize.refused(arraySize, isForGood);
    for (const task of tasks) task.note = undefined;
    for (const task of tasks.filter(({ isKilled }) => isKilled)) task.end({ kind: "lost" });
    this.#waiting = [...tasks.filter(({ isKilled }) => !isKilled), ...this.#waiting];
  }

  /** Waits until Slurm says whether it has it. */
  async #isThere(name: string): Promise<boolean> {
    const { client, clock, settings } = this.#options;
    for (;;) {
      const queue = await client.queue();
      if (!("failure" in queue)) return queue.some((task) => task.name === name);
      await clock.pause(settings.pollMs, this.#closing.signal);
    }
  }
}

/** What the names of all arrays of a run begin with. */
export function arrayPrefix(runId: string): string {
  return `${NAME_PREFIX}${runId}-`;
}

/** What goes wrong with a disk here is why the jobs cannot be started. */
function writeNotes(tasks: readonly SlurmTask[]): string | undefined {
  try {
    for (const { launch, note } of tasks) if (note !== undefined) writeNote(launch.folder, note);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function reject(tasks: readonly SlurmTask[], message: string): void {
  for (const task of tasks) task.end(task.isKilled ? { kind: "lost" } : { kind: "rejected", message });
}

/**
 * How many tasks the next array may have. Sites bound arrays (MaxArraySize) and the jobs that an account may have waiting
 * (MaxSubmitJobs); neither is known beforehand, so what is refused is halved. A bound of arrays stays; one on jobs is lifted by every job that
 * ends, so arrays grow again.
 */
export class ArraySize {
  #most: number;
  #now: number;

  /** `most`: as the site has it in its settings. */
  constructor(most: number) {
    this.#most = most;
    this.#now = most;
  }

  get now(): number {
    return this.#now;
  }

  /** An array of so many tasks was refused for their number; `isForGood`: it always will be. */
  refused(tasks: number, isForGood: boolean): void {
    this.#now = Math.max(1, Math.floor(tasks / 2));
    if (isForGood) this.#most = this.#now;
  }

  accepted(): void {
    this.#now = Math.min(this.#most, this.#now * 2);
  }
}
