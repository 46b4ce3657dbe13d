import type { JobExit, Launch } from "../executor.ts";
import { writeNote } from "./task-note.ts";
import type { TesNote } from "./task-note.ts";
import type { TaskState } from "./task-view.ts";

/** An attempt that is on its way to the TES server or there. */
export class TesTask {
  readonly launch: Launch;
  /** Undefined until it is about to be posted. */
  note: TesNote | undefined;
  /** As of the last look. */
  state: TaskState | undefined;
  /** So many looks in a row did not find it. */
  missed = 0;
  /** It is not decided yet whether the server has it. */
  isPosting = false;
  /** It was told to end. */
  isKilled = false;
  readonly #started = Promise.withResolvers<string | undefined>();
  readonly #exit = Promise.withResolvers<JobExit>();

  constructor(launch: Launch) {
    this.launch = launch;
  }

  get started(): Promise<string | undefined> {
    return this.#started.promise;
  }

  get exit(): Promise<JobExit> {
    return this.#exit.promise;
  }

  /** It runs, by this id of the server's. */
  runs(id: string): void {
    this.#started.resolve(id);
  }

  /**
   * The server has it, by this id. Where that cannot be written down, for which the answer is why, the next server asks for the key,
   * which is.
   */
  hasId(id: string): string | undefined {
    if (this.note === undefined) return undefined;
    this.note = { ...this.note, id };
    try {
      writeNote(this.launch.folder, this.note);
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  end(exit: JobExit): void {
    this.#started.resolve(undefined);
    this.#exit.resolve(exit);
  }
}
