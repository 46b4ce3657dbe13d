import type { Log } from "../../log.ts";
import type { JobExit } from "../executor.ts";
import type { Clock } from "../tracker.ts";
import { forgottenTask, judgeTask } from "./judge-task.ts";
import { isFinalState } from "./task-view.ts";
import type { TaskLog, TaskView } from "./task-view.ts";
import type { TesClient } from "./tes-client.ts";
import type { TesTask } from "./tes-task.ts";

export interface TesWatchOptions {
  readonly client: Pick<TesClient, "task" | "find" | "cancel">;
  readonly pollMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Moves the outputs of an ended task to the job, records its exit, and returns that exit. */
  readonly settle: (task: TesTask, exit: JobExit, log: TaskLog | undefined) => Promise<JobExit>;
}

/** Limits the request rate of all tasks together: with many tasks, each is checked less often. */
const LOOKS_A_SECOND = 20;
/** A server restored from a backup, or with several instances, may not know a task for a moment. */
const MISSED_LOOKS = 3;

/** Follows all attempts at a TES server. A look without a response changes nothing: what ran counts as running. */
export class TesWatch {
  readonly #options: TesWatchOptions;
  readonly #tasks = new Set<TesTask>();
  readonly #closing = new AbortController();
  /** Looks in progress: a second look at the same task would settle it twice. */
  readonly #looking = new Map<TesTask, Promise<void>>();
  #isLooping = false;
  #isAnswered = true;

  constructor(options: TesWatchOptions) {
    this.#options = options;
  }

  add(task: TesTask): void {
    this.#tasks.add(task);
    if (!this.#isLooping) void this.#loop();
  }

  /** Looks at these attempts now. */
  async look(tasks: readonly TesTask[]): Promise<void> {
    await Promise.all(tasks.filter((task) => this.#tasks.has(task)).map((task) => this.#lookOnce(task)));
  }

  /** Resolves when no attempt is being settled any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#looking.values());
  }

  async #loop(): Promise<void> {
    this.#isLooping = true;
    const { clock, pollMs } = this.#options;
    const { signal } = this.#closing;
    try {
      while (this.#tasks.size > 0) {
        await clock.pause(Math.max(pollMs, (this.#tasks.size * 1000) / LOOKS_A_SECOND), signal);
        await this.look([...this.#tasks]);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#isLooping = false;
    }
  }

  #lookOnce(task: TesTask): Promise<void> {
    const going = this.#looking.get(task);
    if (going !== undefined) return going;
    const look = this.#lookAt(task).finally(() => this.#looking.delete(task));
    this.#looking.set(task, look);
    return look;
  }

  async #lookAt(task: TesTask): Promise<void> {
    const id = task.note?.id ?? (await this.#find(task));
    if (id === undefined || this.#closing.signal.aborted) return;
    const answer = await this.#options.client.task(id, "MINIMAL");
    if (answer.kind === "answered") return this.#observe(task, answer.value);
    if (answer.kind === "absent") await this.#miss(task, id);
    else this.#noteSilence(answer.message);
  }

  /** By its key: the server that posted it never learned the id. */
  async #find(task: TesTask): Promise<string | undefined> {
    const { note } = task;
    if (note === undefined) return undefined;
    const found = await this.#options.client.find(note.key);
    if (found.kind !== "answered") {
      this.#noteSilence(found.kind === "silent" ? found.message : "it does not list tasks");
      return undefined;
    }
    const id = found.value[0]?.id;
    if (id === undefined) await this.#miss(task, note.key);
    else task.hasId(id);
    task.mayBeDoubled = found.value.length > 1;
    return id;
  }

  async #observe(task: TesTask, { id, state }: TaskView): Promise<void> {
    this.#noteAnswer();
    task.missed = 0;
    task.state = state;
    if (state === "RUNNING" || state === "PAUSED" || state === "CANCELING") task.runs(id);
    const isAlone = await this.#cancelDoubles(task, id);
    if (!isFinalState(state) || !isAlone) return;
    const full = await this.#options.client.task(id, "FULL");
    if (full.kind !== "answered") return;
    const { log } = full.value;
    await this.#end(task, judgeTask({ id, state, log, isKilled: task.isKilled }), log);
  }

  /**
   * Cancels other tasks of the attempt, which a delayed request created: they write into the same folder. False while one
   * of them has not ended, or the server does not say.
   */
  async #cancelDoubles({ note, mayBeDoubled }: TesTask, id: string): Promise<boolean> {
    if (!mayBeDoubled || note === undefined) return true;
    const { client, log } = this.#options;
    const found = await client.find(note.key);
    if (found.kind !== "answered") return false;
    const doubles = found.value.filter((other) => other.id !== id && !isFinalState(other.state));
    for (const double of doubles) {
      log("warn", "the TES server runs a task twice; the second one is cancelled", { key: note.key, id: double.id });
      await client.cancel(double.id);
    }
    return doubles.length === 0;
  }

  async #miss(task: TesTask, name: string): Promise<void> {
    task.missed += 1;
    if (task.missed >= MISSED_LOOKS)
      await this.#end(task, task.isKilled ? { kind: "lost" } : forgottenTask(name), undefined);
  }

  async #end(task: TesTask, exit: JobExit, log: TaskLog | undefined): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const settled = await this.#options.settle(task, exit, log);
    this.#tasks.delete(task);
    if (settled.kind === "exited" && task.note?.id !== undefined) task.runs(task.note.id);
    task.end(settled);
  }

  #noteSilence(error: string): void {
    if (this.#isAnswered)
      this.#options.log("warn", "the TES server does not respond; its jobs continue and will be checked again", {
        error,
      });
    this.#isAnswered = false;
  }

  #noteAnswer(): void {
    if (!this.#isAnswered) this.#options.log("info", "the TES server responds again");
    this.#isAnswered = true;
  }
}
