import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Log } from "../../log.ts";
import type {
  BegunAttempt,
  Executor,
  JobName,
  JobSelector,
  KilledJob,
  KillReport,
  KillTarget,
  Launch,
  RunningJob,
  AttemptState,
} from "../executor.ts";
import { readClaim, readExit } from "../job-record.ts";
import { RECORD_FILE } from "../job-record-text.ts";
import { writeLaunch } from "../launch-file.ts";
import { takeClaim } from "../inspect-attempt.ts";
import { queuedRemains } from "./cancel-tasks.ts";
import { waitingText } from "./end-causes.ts";
import type { QueuedTask } from "./queue-lines.ts";
import type { SlurmClient } from "./slurm-client.ts";
import type { SlurmSettings } from "./slurm-settings.ts";
import { SlurmTask } from "./slurm-task.ts";
import { arrayPrefix, Submissions } from "./submissions.ts";
import { readNote } from "./task-note.ts";
import type { TaskNote } from "./task-note.ts";
import { TaskWatch } from "./task-watch.ts";
import { endAll } from "../tracker.ts";
import type { Clock } from "../tracker.ts";

export interface SlurmExecutorOptions {
  readonly settings: SlurmSettings;
  readonly client: Pick<SlurmClient, "submit" | "queue" | "ends" | "cancel" | "hasAccounts">;
  readonly clock: Clock;
  readonly log: Log;
  /** Absolute paths of the folders of all attempts of a run, or of one attempt. */
  readonly attemptFolders: (place: JobSelector) => readonly string[];
}

const AGAIN_MS = 1000;

/**
 * Jobs as tasks of Slurm arrays. The attempt folder, which the nodes share, holds everything that must outlive this
 * server: the launch file, the name under which the attempt was submitted, and the record written by the wrapper on the
 * node.
 */
export class SlurmExecutor implements Executor {
  readonly #options: SlurmExecutorOptions;
  readonly #watch: TaskWatch;
  readonly #submissions: Submissions;
  readonly #closing = new AbortController();
  readonly #byJob = new Map<string, SlurmTask>();
  #queueAtStart: ReturnType<SlurmClient["queue"]> | undefined;

  constructor(options: SlurmExecutorOptions) {
    this.#options = options;
    this.#submissions = new Submissions({ ...options, onAccepted: (tasks) => this.#follow(tasks) });
    this.#watch = new TaskWatch({ ...options, resubmit: (task) => this.#submissions.add(task) });
  }

  start(launch: Launch): RunningJob {
    const refused = refusalOf(launch) ?? writeLaunch(launch);
    if (refused !== undefined) return { started: Promise.resolve(undefined), exit: Promise.resolve(refused) };
    const task = this.#track(launch);
    this.#submissions.add(task);
    return task;
  }

  /**
   * Looks in the queue for the name of an attempt that was about to be submitted. If Slurm does not respond, the attempt is
   * reattached, and its end becomes known later.
   */
  async inspect({ folder }: BegunAttempt): Promise<AttemptState> {
    const note = readNote(folder);
    if (note === undefined) return takeClaim(folder) || readClaim(folder) === undefined ? "unclaimed" : "lost";
    if (existsSync(join(folder, RECORD_FILE))) return "reattach";
    this.#queueAtStart ??= this.#options.client.queue();
    const queue = await this.#queueAtStart;
    if ("failure" in queue || queue.some((task) => isTask(task, note))) return "reattach";
    return takeClaim(folder) ? "unclaimed" : "reattach";
  }

  reattach(launch: Launch): RunningJob {
    const task = this.#track(launch);
    task.note = readNote(launch.folder);
    this.#follow([task]);
    this.#watch.check(task);
    return task;
  }

  whyWaiting({ runId, jobId }: JobName): string | undefined {
    const task = this.#byJob.get(`${runId}/${jobId}`);
    if (task === undefined) return undefined;
    if (task.note === undefined) return "it is being submitted to Slurm";
    if (task.queued === undefined) return "it was submitted to Slurm";
    const runningMs = task.runningSinceMs && this.#options.clock.now() - task.runningSinceMs;
    return waitingText({ ...task.queued, isPacked: task.note.isPacked, runningMs });
  }

  async kill(target: KillTarget): Promise<KillReport> {
    await this.#withdraw(target);
    for (const task of this.#watch.tasks) if (isOf(task.launch, target)) task.isKilled = true;
    const submitted = this.#keepFromStarting(target);
    if (submitted === undefined) return this.#unproven();
    if (target.job !== undefined && submitted.length === 0) return { proven: true, evidence: [], jobs: [], left: [] };
    const { client, clock } = this.#options;
    const remains = queuedRemains({
      client,
      look: () => this.#watch.look(),
      isMeant: (task) =>
        target.job === undefined
          ? task.name.startsWith(arrayPrefix(target.runId))
          : submitted.some(({ note }) => isTask(task, note)),
      jobsOf: (task) => submitted.filter(({ note }) => isTask(task, note)).map(({ job }) => job),
    });
    return endAll(remains, { graceMs: target.graceMs, clock, signal: this.#closing.signal });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#watch.close();
    await this.#submissions.close();
  }

  #track(launch: Launch): SlurmTask {
    const task = new SlurmTask(launch);
    const name = `${launch.runId}/${launch.jobId}`;
    this.#byJob.set(name, task);
    void task.exit.then(() => this.#byJob.get(name) === task && this.#byJob.delete(name));
    return task;
  }

  #follow(tasks: readonly SlurmTask[]): void {
    for (const task of tasks) {
      task.submittedAtLook = this.#watch.looks;
      task.missingSinceMs = undefined;
      task.missingLooks = 0;
      this.#watch.add(task);
    }
  }

  /** Not immediately: a caller that needs the proof calls again. */
  async #unproven(): Promise<KillReport> {
    await this.#options.clock.pause(AGAIN_MS, this.#closing.signal).catch(() => {});
    return { proven: false, evidence: [], jobs: [], left: [] };
  }

  /** Attempts not yet submitted end here; submissions in progress are waited for. */
  async #withdraw(target: KillTarget): Promise<void> {
    const { taken, settled } = this.#submissions.withdraw(({ launch }) => isOf(launch, target));
    for (const task of taken) task.end({ kind: "lost" });
    await settled;
  }

  /**
   * Claims the attempts that have not begun, so that a task that Slurm starts late runs nothing. Returns everything
   * that any server ever submitted and that may still be there; undefined if a folder cannot be read or written now.
   */
  #keepFromStarting(target: KillTarget): readonly SubmittedAttempt[] | undefined {
    try {
      return this.#options.attemptFolders(target).flatMap((folder) => {
        const note = readNote(folder);
        if (note === undefined) return [];
        const wasFree = takeClaim(folder);
        // Other jobs continue in its task.
        const isOver = note.isPacked && target.job !== undefined && (wasFree || readExit(folder) !== undefined);
        return isOver ? [] : [{ note, job: attemptIn(folder) }];
      });
    } catch (error) {
      this.#options.log("error", "the folders of jobs cannot be read", { run_id: target.runId, error: String(error) });
      return undefined;
    }
  }
}

interface SubmittedAttempt {
  readonly note: TaskNote;
  readonly job: Pick<KilledJob, "jobId" | "attempt">;
}

/** A daemon's containers run on the node, where nothing here could prove their end. */
function refusalOf({ container }: Launch) {
  if (container !== "docker" && container !== "podman") return undefined;
  const message = `${container} containers cannot run through Slurm; use apptainer (--container apptainer)`;
  return { kind: "rejected", message } as const;
}

function isTask(task: QueuedTask, { name, index }: TaskNote): boolean {
  return task.name === name && task.index === index;
}

function isOf(launch: Launch, { runId, job }: JobSelector): boolean {
  if (launch.runId !== runId) return false;
  return job === undefined || (launch.jobId === job.jobId && launch.attempt === job.attempt);
}

/** Attempt folders are called `jobId@attempt`. */
function attemptIn(folder: string): Pick<KilledJob, "jobId" | "attempt"> {
  const name = basename(folder);
  const at = name.lastIndexOf("@");
  return { jobId: name.slice(0, at), attempt: Number(name.slice(at + 1)) };
}
