import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { AttemptState, JobExit, JobSelector, Launch, RunningJob } from "../executor.ts";
import type { Remains } from "../tracker.ts";

/** An attempt that a remote system runs. Reports once that it runs, and once that it has ended. */
export class RemoteAttempt implements RunningJob {
  readonly launch: Launch;
  /** The attempt is being canceled. */
  isKilled = false;
  /** Number of consecutive polls that did not find it. */
  missedLooks = 0;
  /** The time of the first poll that did not find it, on a monotonic clock. */
  missingSinceMs: number | undefined;
  readonly #started = Promise.withResolvers<string | undefined>();
  readonly #exit = Promise.withResolvers<JobExit>();

  constructor(launch: Launch) {
    this.launch = launch;
  }

  /** The attempt's id in the remote system; undefined if it ended before it was seen running. */
  get started(): Promise<string | undefined> {
    return this.#started.promise;
  }

  get exit(): Promise<JobExit> {
    return this.#exit.promise;
  }

  runs(id: string): void {
    this.#started.resolve(id);
  }

  end(exit: JobExit): void {
    this.#started.resolve(undefined);
    this.#exit.resolve(exit);
  }

  isSeen(): void {
    this.missedLooks = 0;
    this.missingSinceMs = undefined;
  }

  isMissed(nowMs: number): void {
    this.missedLooks += 1;
    this.missingSinceMs ??= nowMs;
  }
}

/** A refusal that the system would repeat, with its own message. */
export interface Refusal {
  readonly kind: "refused";
  readonly message: string;
}

export type Sent =
  | { readonly kind: "accepted" }
  | Refusal
  /** The offer was not accepted, and smaller offers may be. */
  | { readonly kind: "too-many" }
  /** The system could not be reached, or did not respond; it may nevertheless have accepted it. */
  | { readonly kind: "unknown"; readonly message: string };

/** Attempts that are submitted together. Their key is in their folders. */
export interface Offer {
  readonly key: string;
  readonly send: () => Promise<Sent>;
  /** True if the system has the key; undefined if it does not respond. */
  readonly find: () => Promise<boolean | undefined>;
}

export type Verdict =
  | { readonly kind: "waits" | "runs" }
  | { readonly kind: "silent"; readonly message: string }
  /** The attempt never began and never will: it may be submitted again. */
  | { readonly kind: "unbegun" }
  | { readonly kind: "ended"; readonly exit: JobExit; readonly isSettled?: boolean };

/** An attempt that was submitted, and that may not have ended. */
export interface SubmittedAttempt<Note> {
  readonly note: Note;
  readonly job: { readonly jobId: string; readonly attempt: number };
}

/** The differences between remote systems: requests, responses, and what an end means. */
export interface RemoteSystem<Attempt extends RemoteAttempt, Note> {
  readonly kind: Exclude<BackendKind, "local">;
  /** The name of the system, as the subject of a sentence. */
  readonly name: string;
  /** The time between two requests about the same attempt. */
  readonly pollMs: number;
  /**
   * The waiting time for attempts that can be submitted together, and the time between two batches. Without it, each
   * attempt is submitted immediately.
   */
  readonly gather?: { readonly firstMs: number; readonly nextMs: number };
  attempt(launch: Launch): Attempt;
  /** The reason why a job cannot run on the system; otherwise the attempt is ready to be submitted. */
  refuse(launch: Launch): JobExit | undefined;
  /** Groups attempts that are submitted together. */
  group(waiting: readonly Attempt[]): readonly (readonly Attempt[])[];
  /** Writes the key into the folders of the group, so that the next server can find it. */
  prepare(group: readonly Attempt[]): Promise<Offer | Refusal>;
  accepted?(group: readonly Attempt[]): void;
  whyWaiting(attempt: Attempt): string;
  /** The state of an attempt of an earlier server. If the system does not respond, its end becomes known later. */
  inspect(folder: string): Promise<AttemptState>;
  /** Reads the note of an attempt of an earlier server, and returns the verdict according to its folder. */
  reattach(attempt: Attempt): Verdict;
  /**
   * Reads the folder's record of an attempt that may be running. Systems without it have no record until the end is
   * settled.
   */
  readRecord?(attempt: Attempt): Verdict;
  /** Time between two polls. */
  intervalMs(attempts: number): number;
  /** One poll of the attempts that were submitted before it began. */
  look(attempts: readonly Attempt[]): Promise<ReadonlyMap<Attempt, Verdict>>;
  /** Completes the folder of an ended attempt; undefined: that is not possible now. */
  settle(attempt: Attempt, exit: JobExit, signal: AbortSignal): Promise<JobExit | undefined>;
  /** Prevents an attempt from starting late. Returns undefined if no trace of it can exist. */
  withdraw(folder: string, target: JobSelector): Note | undefined;
  /** The remains of submitted attempts; undefined if there can be none. */
  remains(target: JobSelector, attempts: readonly SubmittedAttempt<Note>[]): Pick<Remains, "look" | "end"> | undefined;
}
