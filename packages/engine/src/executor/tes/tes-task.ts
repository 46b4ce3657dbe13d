import { RemoteAttempt } from "../remote-attempt.ts";
import { writeNote } from "./task-note.ts";
import type { TesNote } from "./task-note.ts";
import type { TaskState } from "./task-view.ts";
import { errorText } from "../../error-text.ts";

/** An attempt at the TES server or on its way there. */
export class TesTask extends RemoteAttempt {
  /** Undefined until it is about to be posted. */
  note: TesNote | undefined;
  /** As of the last look. */
  state: TaskState | undefined;
  /** Number of consecutive looks that did not find it. */
  missed = 0;
  /** A second request for it may have reached the server. */
  mayBeDoubled = false;
  /** It is not known yet whether the server has it. */
  isPosting = false;

  /**
   * The server has it, under this id. If the id could not be written (the value says why), the next server asks for the
   * key, which was.
   */
  hasId(id: string): string | undefined {
    if (this.note === undefined) return undefined;
    this.note = { ...this.note, id };
    try {
      writeNote(this.launch.folder, this.note);
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }
}
