import { RemoteAttempt } from "../remote-attempt.ts";
import { writeNote } from "./task-note.ts";
import type { TesNote } from "./task-note.ts";
import type { TaskState } from "./task-view.ts";

/** An attempt that is on its way to the TES server or there. */
export class TesTask extends RemoteAttempt {
  /** Undefined until it is about to be posted. */
  note: TesNote | undefined;
  /** As of the last look. */
  state: TaskState | undefined;
  /** So many looks in a row did not find it. */
  missed = 0;
  /** It is not decided yet whether the server has it. */
  isPosting = false;

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
}
