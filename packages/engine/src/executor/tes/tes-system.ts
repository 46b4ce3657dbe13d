import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { errorText } from "../../error-text.ts";
import { attemptFoldersOf } from "../../files/attempt-folder.ts";
import type { Log } from "../../log.ts";
import {
  NOTHING_MEASURED,
  type AttemptState,
  type JobExit,
  type JobSelector,
  type Launch,
  type LaunchTask,
} from "../executor.ts";
import { jobName } from "../job-marker.ts";
import { readExit, readText } from "../job-record.ts";
import { keepAttemptNote, writeAttemptNote } from "../remote/attempt-note.ts";
import { RemoteQueue, type RemoteOptions } from "../remote/remote-queue.ts";
import {
  RemoteAttempt,
  type Offer,
  type Refusal,
  type RemoteSystem,
  type SubmittedAttempt,
  type Verdict,
} from "../remote/remote-system.ts";
import { MACHINE_CLOCK, type Look, type Remains, type Remnant } from "../tracker.ts";
import { forgottenTask, judgeTask } from "./judge-task.ts";
import { settleAttempt } from "./settle-attempt.ts";
import { arrivalsOf, attemptKey, taskDocument } from "./task-document.ts";
import { taskInputs } from "./task-inputs.ts";
import { isFinalState, type TaskLog, type TaskState, type TaskView } from "./task-view.ts";
import { TesClient } from "./tes-client.ts";
import { DEFAULT_TES, type TesSettings } from "./tes-settings.ts";

/**
 * Maps an attempt to its task: the key is written into its folder before the task is posted, and the server's id once
 * it is known.
 */
interface TesNote {
  /** Value of the task's tag `weft.attempt`, and its name. */
  readonly key: string;
  readonly id: string | undefined;
}

export class TesAttempt extends RemoteAttempt {
  readonly task: LaunchTask;
  /** The note; undefined until the task is about to be posted. */
  note: TesNote | undefined;
  /** The state at the last poll. */
  state: TaskState | undefined;
  /** The log of the task, once it has ended. */
  log: TaskLog | undefined;
  /** A second request for it may have reached the server. */
  mayBeDoubled = false;

  constructor(launch: Launch) {
    super(launch);
    if (launch.task === undefined) throw new Error("a job for TES was planned without its container");
    this.task = launch.task;
  }

  /**
   * Records the id under which the server has the task. Returns the reason if the id cannot be written; the next server
   * then finds the task by its key, which is already written.
   */
  hasId(id: string): string | undefined {
    if (this.note === undefined) return undefined;
    this.note = { ...this.note, id };
    try {
      writeAttemptNote(this.launch.folder, NOTE_FILE, textOf(this.note));
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }
}

export interface TesOptions extends RemoteOptions {
  readonly settings: TesSettings;
  readonly client: Pick<TesClient, "create" | "task" | "find" | "cancel">;
}

const NOTE_FILE = "tes";
/** Limits the request rate of all tasks together: with many tasks, each is checked less often. */
const LOOKS_A_SECOND = 20;
/**
 * The number of polls that may not find a task: a server that was restored from a backup or has several instances may
 * not find it for a moment.
 */
const MISSED_LOOKS = 3;

/** A TES server by its base URL. Sends no request before the first job. */
export function openTes(
  settings: TesSettings = DEFAULT_TES,
  { runsFolder, log }: { readonly runsFolder: string; readonly log: Log },
): RemoteQueue<TesAttempt, TesNote> {
  const attemptFolders = (place: JobSelector) => attemptFoldersOf(runsFolder, place);
  return tesQueue({ settings, client: new TesClient(settings), clock: MACHINE_CLOCK, log, attemptFolders });
}

export function tesQueue(options: TesOptions): RemoteQueue<TesAttempt, TesNote> {
  return new RemoteQueue(new TesSystem(options), options);
}

/** Runs jobs as tasks of a GA4GH TES server. Until the exit is recorded, only the server knows the state. */
class TesSystem implements RemoteSystem<TesAttempt, TesNote> {
  readonly kind = "tes";
  readonly name = "the TES server";
  readonly pollMs: number;
  readonly #options: TesOptions;

  constructor(options: TesOptions) {
    this.#options = options;
    this.pollMs = options.settings.pollMs;
  }

  attempt(launch: Launch): TesAttempt {
    return new TesAttempt(launch);
  }

  /** Requests that a local container supports but a task does not. */
  refuse({ argv, folder, task }: Launch): JobExit | undefined {
    const program = "the tool names no program, and a TES server does not run the image's default command";
    if (argv.length === 0) return { kind: "rejected", message: program };
    const changed = task?.mounts.find(({ source, writable }) => writable && !source.startsWith(`${folder}/`));
    if (changed === undefined) return undefined;
    const message = `the tool changes ${basename(changed.source)} in place (InplaceUpdateRequirement), which a TES server's workers cannot do`;
    return { kind: "rejected", message };
  }

  group(waiting: readonly TesAttempt[]): readonly (readonly TesAttempt[])[] {
    return waiting.map((attempt) => [attempt]);
  }

  async prepare([attempt]: readonly TesAttempt[]): Promise<Offer | Refusal> {
    if (attempt === undefined) throw new Error("there is nothing to post");
    const { launch, task } = attempt;
    const { settings, client } = this.#options;
    const inputs = await taskInputs(task, launch.folder);
    const document = taskDocument({ ...launch, task }, inputs, settings);
    if ("refusal" in document) return { kind: "refused", message: document.refusal };
    mkdirSync(arrivalsOf(launch), { recursive: true });
    const key = attemptKey(launch);
    await keepNote(launch.folder, (attempt.note = { key, id: undefined }));
    return {
      key,
      send: async () => {
        const created = await client.create(document);
        if (created.kind === "refused") return { kind: "refused", message: created.message };
        if (created.kind === "answered") {
          this.#hasId(attempt, created.value);
          return { kind: "accepted" };
        }
        attempt.mayBeDoubled = true;
        return { kind: "unknown", message: created.kind === "silent" ? created.message : "there is no such URL" };
      },
      find: async () => {
        const found = await client.find(key);
        if (found.kind !== "answered") return undefined;
        const [first] = found.value;
        if (first !== undefined) this.#hasId(attempt, first.id);
        return first !== undefined;
      },
    };
  }

  whyWaiting({ note, state }: TesAttempt): string {
    const id = note?.id;
    return id === undefined ? "it is being sent to the TES server" : `TES task ${id} is ${state ?? "accepted"}`;
  }

  /** Searches the server for a task that was about to be posted. */
  async inspect(folder: string): Promise<AttemptState> {
    const note = readNote(folder);
    if (note === undefined) return "unclaimed";
    if (note.id !== undefined || readExit(folder) !== undefined) return "reattach";
    const found = await this.#options.client.find(note.key);
    return found.kind === "answered" && found.value.length === 0 ? "unclaimed" : "reattach";
  }

  reattach(attempt: TesAttempt): Verdict {
    const { folder } = attempt.launch;
    attempt.note = readNote(folder);
    const recorded = readExit(folder);
    if (recorded === undefined) return { kind: "waits" };
    const exit = { kind: "exited", exitCode: recorded.exitCode, used: NOTHING_MEASURED } as const;
    return { kind: "ended", exit, isSettled: true };
  }

  intervalMs(attempts: number): number {
    return Math.max(this.pollMs, (attempts * 1000) / LOOKS_A_SECOND);
  }

  async look(attempts: readonly TesAttempt[]): Promise<ReadonlyMap<TesAttempt, Verdict>> {
    return new Map(await Promise.all(attempts.map(async (attempt) => [attempt, await this.#lookAt(attempt)] as const)));
  }

  async settle(attempt: TesAttempt, exit: JobExit, signal: AbortSignal): Promise<JobExit> {
    const { launch, log, note } = attempt;
    const { clock, settings } = this.#options;
    const settled = await settleAttempt(launch, { exit, log, clock, latencyMs: settings.latencyMs, signal });
    if (settled.kind === "exited" && note?.id !== undefined) attempt.runs(note.id);
    return settled;
  }

  withdraw(folder: string): TesNote | undefined {
    const note = readNote(folder);
    return note === undefined || readExit(folder) !== undefined ? undefined : note;
  }

  /**
   * Tasks, until the server reports each as ended or lists none. The response to the cancel request itself proves nothing:
   * some servers fail it for ended tasks, and others accept it for tasks that do not exist.
   */
  remains(
    _target: JobSelector,
    attempts: readonly SubmittedAttempt<TesNote>[],
  ): Pick<Remains<FoundTask>, "look" | "end"> | undefined {
    if (attempts.length === 0) return undefined;
    const { client } = this.#options;
    const open = new Set(attempts);
    return {
      async look() {
        const looks = await Promise.all(
          [...open].map((attempt) => lookFor(attempt, client, () => open.delete(attempt))),
        );
        return { found: looks.flatMap(({ found }) => found), isWhole: looks.every(({ isWhole }) => isWhole) };
      },
      async end(found) {
        await Promise.all(found.map(({ id }) => client.cancel(id)));
        // A server does not report which signals it sends.
        return {};
      },
    };
  }

  #hasId(attempt: TesAttempt, id: string): void {
    const error = attempt.hasId(id);
    if (error === undefined) return;
    this.#options.log("warn", "the id of a TES task could not be written", { key: attempt.note?.key ?? "", error });
  }

  async #lookAt(attempt: TesAttempt): Promise<Verdict> {
    const { client } = this.#options;
    const { note } = attempt;
    if (note === undefined) return { kind: "waits" };
    if (note.id === undefined) {
      // The task is found by its key, because the server that posted it did not receive the id.
      const found = await client.find(note.key);
      if (found.kind !== "answered")
        return { kind: "silent", message: found.kind === "silent" ? found.message : "it does not list tasks" };
      attempt.mayBeDoubled = found.value.length > 1;
      const [first] = found.value;
      if (first === undefined) return this.#miss(attempt, note.key);
      attempt.hasId(first.id);
    }
    const id = attempt.note?.id ?? "";
    const answer = await client.task(id, "MINIMAL");
    if (answer.kind === "absent") return this.#miss(attempt, id);
    return answer.kind === "answered" ? this.#observe(attempt, answer.value) : { ...answer, kind: "silent" };
  }

  async #observe(attempt: TesAttempt, { id, state }: TaskView): Promise<Verdict> {
    attempt.isSeen();
    attempt.state = state;
    if (state === "RUNNING" || state === "PAUSED" || state === "CANCELING") attempt.runs(id);
    const isAlone = await this.#cancelDoubles(attempt, id);
    if (!isFinalState(state) || !isAlone) return { kind: "runs" };
    const full = await this.#options.client.task(id, "FULL");
    if (full.kind !== "answered") return { kind: "runs" };
    attempt.log = full.value.log;
    return { kind: "ended", exit: judgeTask({ id, state, log: attempt.log, isKilled: attempt.isKilled }) };
  }

  /**
   * Cancels other tasks of the attempt, which a delayed request created: they write into the same folder. False while one
   * of them has not ended, or the server does not say.
   */
  async #cancelDoubles({ note, mayBeDoubled }: TesAttempt, id: string): Promise<boolean> {
    if (!mayBeDoubled || note === undefined) return true;
    const { client, log } = this.#options;
    const found = await client.find(note.key);
    if (found.kind !== "answered") return false;
    const doubles = found.value.filter((other) => other.id !== id && !isFinalState(other.state));
    for (const double of doubles) {
      log("warn", "the TES server runs a task twice; the second one is canceled", { key: note.key, id: double.id });
      await client.cancel(double.id);
    }
    return doubles.length === 0;
  }

  #miss(attempt: TesAttempt, name: string): Verdict {
    attempt.isMissed(this.#options.clock.now());
    if (attempt.missedLooks < MISSED_LOOKS) return { kind: "waits" };
    return { kind: "ended", exit: attempt.isKilled ? { kind: "lost" } : forgottenTask(name) };
  }
}

type FoundTask = Remnant & { readonly id: string };

/** `close`: the task has ended, and no delayed request can create another one. */
async function lookFor(
  { note, job }: SubmittedAttempt<TesNote>,
  client: TesOptions["client"],
  close: () => void,
): Promise<Look<FoundTask>> {
  const listed = await client.find(note.key);
  if (listed.kind !== "answered") return { found: [], isWhole: false };
  const ids = new Set([...listed.value.map(({ id }) => id), ...(note.id === undefined ? [] : [note.id])]);
  const answers = await Promise.all([...ids].map(async (id) => ({ id, answer: await client.task(id, "MINIMAL") })));
  const found = answers.flatMap(({ id, answer }): FoundTask | [] => {
    // Unknown states count as active. If the server does not report a state, the task may have ended long ago.
    if (answer.kind !== "answered") return answer.kind === "absent" ? [] : { id, jobs: [] };
    return isFinalState(answer.value.state) ? [] : { id, jobs: [jobName(job)] };
  });
  if (found.length === 0 && answers.some(({ answer }) => answer.kind === "answered")) close();
  return { found, isWhole: true };
}

/** Writes the note before the task is posted. It survives a power failure, as the task does. */
function keepNote(folder: string, note: TesNote): Promise<void> {
  return keepAttemptNote(folder, NOTE_FILE, textOf(note));
}

/** Two lines: the key, and the id once it is known. */
function textOf({ key, id }: TesNote): string {
  return `${key}\n${id === undefined ? "" : `${id}\n`}`;
}

/** Undefined if the attempt was never going to be posted. */
function readNote(folder: string): TesNote | undefined {
  const [key = "", id = ""] = readText(join(folder, NOTE_FILE)).split("\n");
  return key === "" ? undefined : { key, id: id === "" ? undefined : id };
}
