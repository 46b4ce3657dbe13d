import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { Gate } from "../../async/gate.ts";
import { oneAtATime } from "../../async/one-at-a-time.ts";
import { attemptFoldersOf } from "../../files/attempt-folder.ts";
import type { Log } from "../../log.ts";
import type { AttemptState, JobExit, JobSelector, Launch } from "../executor.ts";
import { takeClaim } from "../inspect-attempt.ts";
import { jobName } from "../job-marker.ts";
import { readClaim, readExit, readRecord, readText } from "../job-record.ts";
import { parseClaim, RECORD_FILE } from "../job-record-text.ts";
import { writeLaunch } from "../launch-file.ts";
import { shareLaunchers } from "../launcher-path.ts";
import { keepAttemptNote } from "../remote/attempt-note.ts";
import { RemoteQueue, type RemoteOptions } from "../remote/remote-queue.ts";
import {
  RemoteAttempt,
  type Offer,
  type Refusal,
  type RemoteSystem,
  type SubmittedAttempt,
  type Verdict,
} from "../remote/remote-system.ts";
import { runProgram } from "../run-program.ts";
import { MACHINE_CLOCK, type Remains } from "../tracker.ts";
import { ArraySize, batchTasks } from "./batch-tasks.ts";
import { SUSPECT_MS, waitingText } from "./end-causes.ts";
import { judgeTask } from "./judge-task.ts";
import { hasEnded, NAME_PREFIX, type EndedTask, type QueuedTask } from "./queue-lines.ts";
import { SlurmClient } from "./slurm-client.ts";
import { DEFAULT_SLURM, type SlurmSettings } from "./slurm-settings.ts";

/** The array task of an attempt, written into its folder before it is submitted so that it can be found again. */
interface SlurmNote {
  readonly name: string;
  readonly index: number;
  /** True if other attempts run in the same task. */
  readonly isPacked: boolean;
}

export class SlurmAttempt extends RemoteAttempt {
  /** The note; undefined until the attempt is about to be submitted. */
  note: SlurmNote | undefined;
  /** The state at the last poll. */
  queued: QueuedTask | undefined;
  /** The time of the first poll in which Slurm reported it as running. */
  runningSinceMs: number | undefined;
  /** True once a warning that the job does not begin has been logged. */
  isSuspect = false;
  /** The number of times that Slurm has forgotten the job before it began. */
  timesForgotten = 0;
}

export interface SlurmOptions extends RemoteOptions {
  readonly settings: SlurmSettings;
  readonly client: Pick<SlurmClient, "submit" | "queue" | "ends" | "cancel" | "hasAccounts">;
}

type Queue = Awaited<ReturnType<SlurmClient["queue"]>>;

const NOTE_FILE = "slurm";
/** The folder for launchers, in the folder of runs, which the nodes share. No run has this name. */
const LAUNCHERS = ".weft-exec";
/** The maximum number of notes written at the same time: enough to keep a disk busy. */
const NOTES_AT_ONCE = 8;

/** Slurm, through this machine's commands. Runs none before the first job. */
export function openSlurm(
  settings: SlurmSettings = DEFAULT_SLURM,
  { runsFolder, log }: { readonly runsFolder: string; readonly log: Log },
): RemoteQueue<SlurmAttempt, SlurmNote> {
  const share = () => shareLaunchers(join(runsFolder, LAUNCHERS));
  const client = new SlurmClient(settings, runProgram, String(userInfo().uid), share);
  const attemptFolders = (place: JobSelector) => attemptFoldersOf(runsFolder, place);
  return slurmQueue({ settings, client, clock: MACHINE_CLOCK, log, attemptFolders });
}

export function slurmQueue(options: SlurmOptions): RemoteQueue<SlurmAttempt, SlurmNote> {
  return new RemoteQueue(new SlurmSystem(options), options);
}

/**
 * Runs jobs as tasks of Slurm arrays. Nodes share the attempt folders: the wrapper on the node claims the folder and
 * leaves its record there. One poll of the queue serves all attempts.
 */
class SlurmSystem implements RemoteSystem<SlurmAttempt, SlurmNote> {
  readonly kind = "slurm";
  readonly name = "Slurm";
  /** Spares controllers of busy clusters: at most five arrays a second while many attempts wait. */
  readonly gather = { firstMs: 100, nextMs: 200 };
  readonly pollMs: number;
  readonly #options: SlurmOptions;
  readonly #arraySize: ArraySize;
  readonly #queue: () => Promise<Queue>;
  #queueAtStart: Promise<Queue> | undefined;

  constructor(options: SlurmOptions) {
    this.#options = options;
    this.pollMs = options.settings.pollMs;
    this.#queue = oneAtATime(() => options.client.queue());
    this.#arraySize = new ArraySize(options.settings.arraySize);
  }

  attempt(launch: Launch): SlurmAttempt {
    return new SlurmAttempt(launch);
  }

  /** Refuses containers of a daemon on the node, because this machine could not prove their end. */
  refuse(launch: Launch): JobExit | undefined {
    const { container } = launch;
    if (container !== "docker" && container !== "podman") return writeLaunch(launch);
    const message = `${container} containers cannot run through Slurm; use apptainer (--container apptainer)`;
    return { kind: "rejected", message };
  }

  group(waiting: readonly SlurmAttempt[]): readonly (readonly SlurmAttempt[])[] {
    return this.#arrays(waiting).map((tasks) => tasks.flat());
  }

  async prepare(group: readonly SlurmAttempt[]): Promise<Offer | Refusal> {
    const [tasks = []] = this.#arrays(group);
    const [first] = group;
    if (first === undefined) throw new Error("an array has no tasks");
    const name = `${arrayPrefix(first.launch.runId)}${randomUUID().slice(0, 8)}`;
    tasks.forEach((members, index) => {
      for (const attempt of members) attempt.note = { name, index, isPacked: members.length > 1 };
    });
    const failure = await keepNotes(group);
    if (failure !== undefined) return { kind: "refused", message: failure };
    const folders = tasks.map((members) => members.map(({ launch }) => launch.folder));
    return {
      key: name,
      send: async () => {
        const sent = await this.#options.client.submit({ name, size: first.launch.size, tasks: folders });
        if (sent.kind !== "too-many") return sent;
        this.#arraySize.refused(tasks.length, sent.isForGood);
        // The attempts were never submitted, so they may be grouped differently.
        for (const attempt of group) attempt.note = undefined;
        return sent;
      },
      find: async () => {
        const queue = await this.#options.client.queue();
        return "failure" in queue ? undefined : queue.some((task) => task.name === name);
      },
    };
  }

  accepted(): void {
    this.#arraySize.accepted();
  }

  whyWaiting({ note, queued, runningSinceMs }: SlurmAttempt): string {
    if (note === undefined) return "it is being submitted to Slurm";
    if (queued === undefined) return "it was submitted to Slurm";
    const runningMs = runningSinceMs && this.#options.clock.now() - runningSinceMs;
    return waitingText({ ...queued, isPacked: note.isPacked, runningMs });
  }

  /** Looks in the queue for the name of an attempt that was about to be submitted. */
  async inspect(folder: string): Promise<AttemptState> {
    const note = readNote(folder);
    if (note === undefined) return takeClaim(folder) || readClaim(folder) === undefined ? "unclaimed" : "lost";
    if (existsSync(join(folder, RECORD_FILE))) return "reattach";
    this.#queueAtStart ??= this.#options.client.queue();
    const queue = await this.#queueAtStart;
    if ("failure" in queue || queue.some((task) => isTask(task, note))) return "reattach";
    return takeClaim(folder) ? "unclaimed" : "reattach";
  }

  /** An attempt submitted by an earlier server may have ended long ago. */
  reattach(attempt: SlurmAttempt): Verdict {
    attempt.note = readNote(attempt.launch.folder);
    return this.#verdict(attempt, this.#judge(attempt));
  }

  readRecord(attempt: SlurmAttempt): Verdict {
    const { queued } = attempt;
    if (queued === undefined || queued.state === "PENDING") return { kind: "waits" };
    this.#noteStart(attempt, queued);
    return this.#verdict(attempt, this.#judge(attempt));
  }

  intervalMs(): number {
    return this.pollMs;
  }

  async look(attempts: readonly SlurmAttempt[]): Promise<ReadonlyMap<SlurmAttempt, Verdict>> {
    const queue = await this.#queue();
    if ("failure" in queue)
      return new Map(attempts.map((attempt) => [attempt, { kind: "silent", message: queue.failure }]));
    const byTask = new Map(queue.map((queued) => [keyOf(queued), queued]));
    const byId = new Map(queue.map((queued) => [queued.id, queued]));
    for (const attempt of attempts)
      this.#note(attempt, byTask.get(keyOf(attempt.note)) ?? byId.get(claimedBy(attempt)));
    const doubtful = attempts.filter((attempt) => this.#judge(attempt).kind === "ask");
    const ends = await this.#endsOf(doubtful);
    // These attempts are neither in the queue nor ended: Weft does not know the state that Slurm reports.
    for (const attempt of doubtful) {
      const end = ends?.get(keyOf(attempt.note));
      if (end !== undefined && !hasEnded(end)) attempt.isSeen();
    }
    const judged = (attempt: SlurmAttempt) =>
      this.#judge(attempt, ends?.get(keyOf(attempt.note)) ?? (ends && "unknown"));
    return new Map(attempts.map((attempt) => [attempt, this.#verdict(attempt, judged(attempt))]));
  }

  /** Prevents the start of an attempt that has not begun by now. */
  async settle(attempt: SlurmAttempt, exit: JobExit): Promise<JobExit | undefined> {
    const { folder } = attempt.launch;
    if (exit.kind === "lost" && !isClaimed(folder)) {
      attempt.missingSinceMs = this.#options.clock.now();
      return undefined;
    }
    if (parseClaim(recordOf(folder) ?? "") !== undefined) attempt.runs(attempt.queued?.id ?? claimedBy(attempt));
    return exit;
  }

  /** Claims an attempt that has not begun, so that a task that Slurm starts late runs nothing. */
  withdraw(folder: string, target: JobSelector): SlurmNote | undefined {
    const note = readNote(folder);
    if (note === undefined) return undefined;
    const wasFree = takeClaim(folder);
    // Other jobs continue in its task.
    const isOver = note.isPacked && target.job !== undefined && (wasFree || readExit(folder) !== undefined);
    return isOver ? undefined : note;
  }

  /** Cancels tasks in the queue, and kills those that run although they were canceled before. */
  remains(
    { runId, job }: JobSelector,
    attempts: readonly SubmittedAttempt<SlurmNote>[],
  ): Pick<Remains<FoundTask>, "look" | "end"> | undefined {
    if (job !== undefined && attempts.length === 0) return undefined;
    const { client } = this.#options;
    const asked = new Set<string>();
    const attemptsOf = (task: QueuedTask) => attempts.filter(({ note }) => isTask(task, note));
    const isMeant = (task: QueuedTask) =>
      job === undefined ? task.name.startsWith(arrayPrefix(runId)) : attemptsOf(task).length > 0;
    return {
      look: async () => {
        const queue = await this.#queue();
        if ("failure" in queue) return { found: [], isWhole: false };
        const jobsOf = (task: QueuedTask) => attemptsOf(task).map((attempt) => jobName(attempt.job));
        return { found: queue.filter(isMeant).map((task) => ({ ...task, jobs: jobsOf(task) })), isWhole: true };
      },
      async end(found, isForced) {
        const isLate = ({ id, state }: FoundTask) => isForced && asked.has(id) && state !== "PENDING";
        const [late, others] = [found.filter(isLate), found.filter((task) => !isLate(task))];
        // Signals all of them again, because the command may have failed.
        await client.cancel(idsOf(others), false);
        await client.cancel(idsOf(late), true);
        for (const { id } of found) asked.add(id);
        return { SIGTERM: others, SIGKILL: late };
      },
    };
  }

  #arrays(attempts: readonly SlurmAttempt[]): readonly (readonly (readonly SlurmAttempt[])[])[] {
    return batchTasks(attempts, { ...this.#options.settings, arraySize: this.#arraySize.now });
  }

  #note(attempt: SlurmAttempt, queued: QueuedTask | undefined): void {
    attempt.queued = queued;
    const nowMs = this.#options.clock.now();
    if (queued === undefined) return attempt.isMissed(nowMs);
    attempt.isSeen();
    if (queued.state === "RUNNING") attempt.runningSinceMs ??= nowMs;
    else attempt.runningSinceMs = undefined;
    if (queued.state !== "PENDING") this.#noteStart(attempt, queued);
  }

  /**
   * Slurm's report is not enough: it may have lost a task that it lists as running, and only one job of a shared task
   * runs at a time.
   */
  #noteStart(attempt: SlurmAttempt, { id }: QueuedTask): void {
    if (claimedBy(attempt) !== "") return attempt.runs(id);
    const runningMs = this.#options.clock.now() - (attempt.runningSinceMs ?? Infinity);
    if (runningMs <= SUSPECT_MS || attempt.isSuspect || attempt.note?.isPacked === true) return;
    attempt.isSuspect = true;
    this.#options.log("warn", "a job has not begun, although Slurm lists it as running", { slurm_job: id });
  }

  /** The ends of attempts; undefined if there is nothing to query or no response. */
  async #endsOf(attempts: readonly SlurmAttempt[]): Promise<ReadonlyMap<string, EndedTask> | undefined> {
    const names = [...new Set(attempts.flatMap(({ note }) => note?.name ?? []))];
    if (names.length === 0) return undefined;
    const ends = await this.#options.client.ends(names);
    return ends && new Map(ends.map((end) => [keyOf(end), end]));
  }

  #verdict(attempt: SlurmAttempt, judged: ReturnType<typeof judgeTask>): Verdict {
    if (judged.kind === "ask") return { kind: "waits" };
    if (judged.kind === "unbegun") attempt.timesForgotten += 1;
    return judged;
  }

  #judge(attempt: SlurmAttempt, end?: EndedTask | "unknown"): ReturnType<typeof judgeTask> {
    const { clock, settings, client } = this.#options;
    const { launch, note, missingSinceMs } = attempt;
    const record = recordOf(launch.folder);
    // If the shared folder does not respond, the state of the attempt is unknown.
    if (record === undefined) return { kind: "waits" };
    return judgeTask({
      record,
      queued: attempt.queued,
      isPacked: note?.isPacked === true,
      isKilled: attempt.isKilled,
      isCounted: client.hasAccounts,
      missingMs: missingSinceMs === undefined ? 0 : clock.now() - missingSinceMs,
      missingLooks: attempt.missedLooks,
      timesForgotten: attempt.timesForgotten,
      latencyMs: settings.latencyMs,
      end,
    });
  }
}

type FoundTask = QueuedTask & { readonly jobs: readonly string[] };

function idsOf(tasks: readonly QueuedTask[]): readonly string[] {
  return tasks.map(({ id }) => id);
}

/** Prefix of the array names of a run. */
function arrayPrefix(runId: string): string {
  return `${NAME_PREFIX}${runId}-`;
}

function isTask(task: QueuedTask, { name, index }: SlurmNote): boolean {
  return task.name === name && task.index === index;
}

function keyOf(task: { readonly name: string; readonly index: number } | undefined): string {
  return task === undefined ? "" : `${task.name}/${task.index}`;
}

/** The task that claimed the attempt. Its id may differ after a requeue. */
function claimedBy({ launch }: SlurmAttempt): string {
  return /^slurm (\S+)/.exec(recordOf(launch.folder) ?? "")?.[1] ?? "";
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

/** The notes survive a loss of power, as the task does. A disk error is the reason why the jobs cannot be started. */
async function keepNotes(attempts: readonly SlurmAttempt[]): Promise<string | undefined> {
  const gate = new Gate(NOTES_AT_ONCE);
  const kept = attempts.map(({ launch, note }) => gate.pass(async () => note && keepNote(launch.folder, note)));
  const failed = (await Promise.allSettled(kept)).find(({ status }) => status === "rejected");
  return failed?.status === "rejected" ? String(failed.reason) : undefined;
}

function keepNote(folder: string, { name, index, isPacked }: SlurmNote): Promise<void> {
  return keepAttemptNote(folder, NOTE_FILE, `${name} ${index}${isPacked ? " packed" : ""}\n`);
}

/** Undefined if the attempt was never about to be submitted. */
function readNote(folder: string): SlurmNote | undefined {
  const [, name, index, packed] = /^(\S+) (\d+)( packed)?\n/.exec(readText(join(folder, NOTE_FILE))) ?? [];
  if (name === undefined) return undefined;
  return { name, index: Number(index), isPacked: packed !== undefined };
}
