import { readRecord } from "../job-record.ts";
import { SUSPECT_MS } from "./end-causes.ts";
import { parseClaim } from "../job-record-text.ts";
import { takeClaim } from "../inspect-attempt.ts";
import type { Log } from "../../log.ts";
import type { Clock } from "../tracker.ts";
import { judgeTask } from "./judge-task.ts";
import type { Verdict } from "./judge-task.ts";
import { hasEnded } from "./queue-lines.ts";
import type { EndedTask, QueuedTask } from "./queue-lines.ts";
import type { SlurmClient } from "./slurm-client.ts";
import type { SlurmSettings } from "./slurm-settings.ts";
import type { SlurmTask } from "./slurm-task.ts";

export interface WatchOptions {
  readonly client: Pick<SlurmClient, "queue" | "ends" | "hasAccounts">;
  readonly settings: Pick<SlurmSettings, "pollMs" | "latencyMs">;
  readonly clock: Clock;
  readonly log: Log;
  /** Resubmits an attempt that has not begun. */
  readonly resubmit: (task: SlurmTask) => void;
}

type QueueLook = readonly QueuedTask[] | undefined;

/** How often to read the records of running tasks; this does not involve Slurm. */
const RECORDS_MS = 1000;
/** Maximum delay between requests to a Slurm that does not respond. */
const RAREST_LOOK_MS = 60_000;

/**
 * Follows all attempts at Slurm with one look at its queue for all of them. A failed look changes nothing: what ran
 * counts as running, and only successful looks count against a task that they miss.
 */
export class TaskWatch {
  readonly #options: WatchOptions;
  readonly #tasks = new Set<SlurmTask>();
  readonly #closing = new AbortController();
  #lastLook: Promise<unknown> = Promise.resolve();
  /** It was requested and has not begun. */
  #next: Promise<QueueLook> | undefined;
  #looks = 0;
  #lastLookMs = 0;
  #isLooping = false;
  /** Consecutive looks without a response. */
  #silences = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Number of looks that have begun. */
  get looks(): number {
    return this.#looks;
  }

  get tasks(): Iterable<SlurmTask> {
    return this.#tasks;
  }

  add(task: SlurmTask): void {
    this.#tasks.add(task);
    if (!this.#isLooping) void this.#loop();
  }

  /** By its record alone: an attempt submitted by an earlier server may have ended long ago. */
  check(task: SlurmTask): void {
    this.#act(task, this.#judge(task));
  }

  close(): void {
    this.#closing.abort();
  }

  /**
   * Weft's tasks in the queue, after updating their states; undefined if Slurm does not respond. Looks
   * never overlap: callers during a look share the next one.
   */
  look(): Promise<QueueLook> {
    this.#next ??= this.#lastLook.then(() => {
      this.#next = undefined;
      const look = this.#lookNow();
      // The callers learn of its failure.
      this.#lastLook = look.catch(() => undefined);
      return look;
    });
    return this.#next;
  }

  async #lookNow(): Promise<QueueLook> {
    const number = ++this.#looks;
    const queue = await this.#options.client.queue();
    this.#lastLookMs = this.#options.clock.now();
    if ("failure" in queue) return this.#noteSilence(queue.failure);
    this.#noteAnswer();
    const byTask = new Map(queue.map((queued) => [taskKeyOf(queued), queued]));
    const byId = new Map(queue.map((queued) => [queued.id, queued]));
    const open = [...this.#tasks].filter((task) => task.submittedAtLook < number);
    for (const task of open) this.#note(task, byTask.get(taskKey(task)) ?? byId.get(this.#claimedBy(task)));
    await this.#judgeAll(open);
    return queue;
  }

  async #loop(): Promise<void> {
    this.#isLooping = true;
    const { clock, settings } = this.#options;
    const { signal } = this.#closing;
    try {
      while (this.#tasks.size > 0) {
        await clock.pause(Math.min(RECORDS_MS, settings.pollMs), signal);
        if (clock.now() - this.#lastLookMs >= this.#intervalMs()) await this.look();
        else this.#readRecords();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#isLooping = false;
    }
  }

  #intervalMs(): number {
    const { pollMs } = this.#options.settings;
    return this.#silences === 0 ? pollMs : Math.max(pollMs, Math.min(RAREST_LOOK_MS, pollMs * 2 ** this.#silences));
  }

  #readRecords(): void {
    for (const task of this.#tasks) {
      if (task.queued === undefined || task.queued.state === "PENDING") continue;
      this.#noteStart(task, task.queued);
      this.#act(task, this.#judge(task));
    }
  }

  #note(task: SlurmTask, queued: QueuedTask | undefined): void {
    task.queued = queued;
    if (queued === undefined) {
      task.missingSinceMs ??= this.#options.clock.now();
      task.missingLooks += 1;
      return;
    }
    noteSeen(task);
    if (queued.state === "RUNNING") task.runningSinceMs ??= this.#options.clock.now();
    else task.runningSinceMs = undefined;
    if (queued.state !== "PENDING") this.#noteStart(task, queued);
  }

  /**
   * Slurm's report is not enough: it may have lost a task that it lists as running, and only one job of a shared task
   * runs at a time.
   */
  #noteStart(task: SlurmTask, { id }: QueuedTask): void {
    if (this.#claimedBy(task) !== "") return task.runs(id);
    const runningMs = this.#options.clock.now() - (task.runningSinceMs ?? Infinity);
    if (runningMs <= SUSPECT_MS || task.isSuspect || task.note?.isPacked === true) return;
    task.isSuspect = true;
    this.#options.log("warn", "a job has not begun, although Slurm lists it as running", { slurm_job: id });
  }

  /** The task that claimed the attempt. Its id may differ after a requeue. */
  #claimedBy({ launch }: SlurmTask): string {
    return /^slurm (\S+)/.exec(recordOf(launch.folder) ?? "")?.[1] ?? "";
  }

  async #judgeAll(tasks: readonly SlurmTask[]): Promise<void> {
    const doubtful = tasks.filter((task) => this.#judge(task).kind === "ask");
    const ends = await this.#endsOf(doubtful);
    // Neither in the queue nor at its end: this version does not know Slurm's state for it.
    for (const task of doubtful) if (isActive(ends?.get(taskKey(task)))) noteSeen(task);
    for (const task of tasks) this.#act(task, this.#judge(task, ends?.get(taskKey(task)) ?? (ends && "unknown")));
  }

  /** Undefined if there is nothing to query, or no response. */
  async #endsOf(tasks: readonly SlurmTask[]): Promise<ReadonlyMap<string, EndedTask> | undefined> {
    const names = [...new Set(tasks.flatMap(({ note }) => note?.name ?? []))];
    if (names.length === 0) return undefined;
    const ends = await this.#options.client.ends(names);
    return ends && new Map(ends.map((end) => [taskKeyOf(end), end]));
  }

  #judge(task: SlurmTask, end?: EndedTask | "unknown"): Verdict {
    const { clock, settings, client } = this.#options;
    const record = recordOf(task.launch.folder);
    // A shared folder that does not respond now says nothing.
    if (record === undefined) return { kind: "waits" };
    return judgeTask({
      record,
      queued: task.queued,
      isPacked: task.note?.isPacked === true,
      isKilled: task.isKilled,
      isCounted: client.hasAccounts,
      missingMs: task.missingSinceMs === undefined ? 0 : clock.now() - task.missingSinceMs,
      missingLooks: task.missingLooks,
      timesForgotten: task.timesForgotten,
      latencyMs: settings.latencyMs,
      end,
    });
  }

  #act(task: SlurmTask, verdict: Verdict): void {
    if (!this.#tasks.has(task)) return;
    if (verdict.kind === "unbegun") {
      this.#tasks.delete(task);
      task.timesForgotten += 1;
      this.#options.resubmit(task);
    } else if (verdict.kind === "ended") this.#end(task, verdict.exit);
  }

  /** Prevents the start of an attempt that has not begun by now. */
  #end(task: SlurmTask, exit: Extract<Verdict, { kind: "ended" }>["exit"]): void {
    const { folder } = task.launch;
    if (exit.kind === "lost" && !isClaimed(folder)) {
      task.missingSinceMs = this.#options.clock.now();
      return;
    }
    this.#tasks.delete(task);
    if (parseClaim(recordOf(folder) ?? "") !== undefined) task.runs(task.queued?.id ?? this.#claimedBy(task));
    task.end(exit);
  }

  #noteSilence(failure: string): undefined {
    if (this.#silences === 0)
      this.#options.log("warn", "Slurm does not respond; its jobs continue and will be checked again", {
        error: failure,
      });
    this.#silences += 1;
    return undefined;
  }

  #noteAnswer(): void {
    if (this.#silences > 0) this.#options.log("info", "Slurm answers again");
    this.#silences = 0;
  }
}

function noteSeen(task: SlurmTask): void {
  task.missingSinceMs = undefined;
  task.missingLooks = 0;
}

function isActive(end: EndedTask | undefined): boolean {
  return end !== undefined && !hasEnded(end);
}

function taskKey({ note }: SlurmTask): string {
  return note === undefined ? "" : taskKeyOf(note);
}

function taskKeyOf({ name, index }: { readonly name: string; readonly index: number }): string {
  return `${name}/${index}`;
}

/** Undefined if it cannot be read now. */
function recordOf(folder: string): string | undefined {
  try {
    return readRecord(folder);
  } catch {
    return undefined;
  }
}

/** True if the attempt has begun or can no longer begin, because this claims it. False if that is unknown now. */
function isClaimed(folder: string): boolean {
  const before = recordOf(folder);
  if (before !== "") return before !== undefined;
  try {
    // An attempt claimed at this very moment has begun; an empty claim was made by a server.
    return takeClaim(folder) || recordOf(folder) === "";
  } catch {
    return false;
  }
}
