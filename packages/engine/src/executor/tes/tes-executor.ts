import { existsSync, mkdirSync } from "node:fs";
import { basename } from "node:path";
import type { Log } from "../../log.ts";
import { NOTHING_MEASURED } from "../executor.ts";
import type {
  BegunAttempt,
  Executor,
  JobExit,
  JobName,
  JobSelector,
  KillReport,
  KillTarget,
  Launch,
  LaunchTask,
  RunningJob,
  AttemptState,
} from "../executor.ts";
import { readExit } from "../job-record.ts";
import { taskRemains } from "./cancel-tasks.ts";
import { postTask } from "./post-task.ts";
import { settleAttempt } from "./settle-attempt.ts";
import { arrivalsOf, attemptKey, taskDocument } from "./task-document.ts";
import { taskInputs } from "./task-inputs.ts";
import { keepNote, readNote } from "./task-note.ts";
import type { TesClient } from "./tes-client.ts";
import type { TesSettings } from "./tes-settings.ts";
import { TesTask } from "./tes-task.ts";
import { TesWatch } from "./tes-watch.ts";
import { endAll } from "../tracker.ts";
import type { Clock } from "../tracker.ts";
import { errorText } from "../../error-text.ts";

export interface TesExecutorOptions {
  readonly settings: TesSettings;
  readonly client: Pick<TesClient, "create" | "task" | "find" | "cancel">;
  readonly clock: Clock;
  readonly log: Log;
  /** Absolute paths of the folders of all attempts of a run, or of one attempt. */
  readonly attemptFolders: (place: JobSelector) => readonly string[];
}

/**
 * Jobs as tasks of a GA4GH TES server. The attempt folder holds what must outlive this server: the key under which the
 * task was posted, its id, and finally its exit. Until the exit is recorded, only the TES server knows the state.
 */
export class TesExecutor implements Executor {
  readonly #options: TesExecutorOptions;
  readonly #watch: TesWatch;
  readonly #closing = new AbortController();
  readonly #byJob = new Map<string, TesTask>();
  readonly #beginning = new Set<Promise<void>>();

  constructor(options: TesExecutorOptions) {
    this.#options = options;
    const { client, clock, log, settings } = options;
    this.#watch = new TesWatch({
      ...{ client, clock, log, pollMs: settings.pollMs },
      settle: ({ launch }, exit, ended) =>
        settleAttempt(launch, { exit, log: ended, clock, latencyMs: settings.latencyMs, signal: this.#closing.signal }),
    });
  }

  start(launch: Launch): RunningJob {
    const { task: inside } = launch;
    if (inside === undefined) throw new Error("a job for TES was planned without its container");
    const task = this.#track(launch);
    const begun = this.#begin(task, inside).finally(() => this.#beginning.delete(begun));
    this.#beginning.add(begun);
    return task;
  }

  /**
   * Searches the server for a task that was about to be posted. If the server does not answer, the attempt is reattached,
   * and its end becomes known later.
   */
  async inspect({ folder }: BegunAttempt): Promise<AttemptState> {
    const note = existsSync(folder) ? readNote(folder) : undefined;
    if (note === undefined) return "unclaimed";
    if (note.id !== undefined || readExit(folder) !== undefined) return "reattach";
    const found = await this.#options.client.find(note.key);
    return found.kind === "answered" && found.value.length === 0 ? "unclaimed" : "reattach";
  }

  reattach(launch: Launch): RunningJob {
    const task = this.#track(launch);
    task.note = readNote(launch.folder);
    const recorded = readExit(launch.folder);
    if (recorded === undefined) this.#watch.add(task);
    else task.end({ kind: "exited", exitCode: recorded.exitCode, used: NOTHING_MEASURED });
    return task;
  }

  whyWaiting({ runId, jobId }: JobName): string | undefined {
    const task = this.#byJob.get(`${runId}/${jobId}`);
    if (task === undefined) return undefined;
    const id = task.note?.id;
    if (id === undefined) return "it is being sent to the TES server";
    return `TES task ${id} is ${task.state ?? "accepted"}`;
  }

  async kill(target: KillTarget): Promise<KillReport> {
    const meant = [...this.#byJob.values()].filter(({ launch }) => isOf(launch, target));
    for (const task of meant) task.isKilled = true;
    const { client, clock } = this.#options;
    const targets = this.#options.attemptFolders(target).flatMap((folder) => {
      const job = attemptIn(folder);
      const task = meant.find(({ launch }) => launch.folder === folder);
      const isPosting = () => task?.isPosting === true;
      const wasPosted = existsSync(folder) && readNote(folder) !== undefined && readExit(folder) === undefined;
      return wasPosted || isPosting() ? [{ job, note: () => readNote(folder), isPosting }] : [];
    });
    if (targets.length === 0) return { proven: true, evidence: [], jobs: [], left: [] };
    const ending = { graceMs: target.graceMs, clock, signal: this.#closing.signal };
    const report = await endAll(taskRemains(targets, client), ending);
    await this.#watch.look(meant);
    return report;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // Records a task that is being accepted before the next server looks.
    await Promise.all([this.#watch.close(), ...this.#beginning]);
  }

  #track(launch: Launch): TesTask {
    const task = new TesTask(launch);
    const name = `${launch.runId}/${launch.jobId}`;
    this.#byJob.set(name, task);
    void task.exit.then(() => this.#byJob.get(name) === task && this.#byJob.delete(name));
    return task;
  }

  async #begin(task: TesTask, inside: LaunchTask): Promise<void> {
    try {
      task.isPosting = true;
      const ended = await this.#post(task, inside);
      if (ended !== undefined) task.end(ended);
    } catch (error) {
      if (!this.#closing.signal.aborted) task.end({ kind: "rejected", message: errorText(error) });
    } finally {
      task.isPosting = false;
    }
  }

  /** Undefined once the server has it; otherwise how it ended. */
  async #post(task: TesTask, inside: LaunchTask): Promise<JobExit | undefined> {
    const { launch } = task;
    const { settings, client, clock, log } = this.#options;
    const message = refusalOf(launch, inside);
    if (message !== undefined) return { kind: "rejected", message };
    const inputs = await taskInputs(inside, launch.folder);
    const document = taskDocument({ ...launch, task: inside }, inputs, settings);
    if ("refusal" in document) return { kind: "rejected", message: document.refusal };
    mkdirSync(arrivalsOf(launch), { recursive: true });
    const key = attemptKey(launch);
    await keepNote(launch.folder, (task.note = { key, id: undefined }));
    const posting = { client, clock, log, pollMs: settings.pollMs, isWithdrawn: () => task.isKilled };
    const posted = await postTask(document, { ...posting, signal: this.#closing.signal });
    if (posted.kind === "rejected") return task.isKilled ? { kind: "lost" } : posted;
    if (posted.kind === "withdrawn") return { kind: "lost" };
    task.mayBeDoubled = !posted.isCertain;
    const unwritten = task.hasId(posted.id);
    if (unwritten !== undefined) log("warn", "the id of a TES task could not be written", { key, error: unwritten });
    this.#watch.add(task);
    return undefined;
  }
}

/** Requests that a local container supports but a task does not. */
function refusalOf({ argv, folder }: Launch, { mounts }: LaunchTask): string | undefined {
  if (argv.length === 0) return "the tool names no program, and a TES server does not run the image's default command";
  const changed = mounts.find(({ source, writable }) => writable && !source.startsWith(`${folder}/`));
  if (changed === undefined) return undefined;
  return `the tool changes ${basename(changed.source)} in place (InplaceUpdateRequirement), which a TES server's workers cannot do`;
}

function isOf(launch: Launch, { runId, job }: JobSelector): boolean {
  if (launch.runId !== runId) return false;
  return job === undefined || (launch.jobId === job.jobId && launch.attempt === job.attempt);
}

/** Attempt folders are called `jobId@attempt`. */
function attemptIn(folder: string): { readonly jobId: string; readonly attempt: number } {
  const name = basename(folder);
  const at = name.lastIndexOf("@");
  return { jobId: name.slice(0, at), attempt: Number(name.slice(at + 1)) };
}
