import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { NewEvent } from "../journal-event.ts";
import type { StorageTrouble } from "./storage-trouble.ts";

export interface AppendRequest {
  readonly id: number;
  readonly events: readonly NewEvent[];
}

/** What the writer tells those who asked it to append. */
export type WriterMessage =
  | { readonly answers: readonly { readonly id: number; readonly events: readonly (WeftEvent | null)[] }[] }
  /** Nothing of these is on record. */
  | { readonly refused: readonly number[]; readonly because: StorageTrouble }
  /** A mistake of ours in these. */
  | { readonly failed: readonly number[]; readonly message: string }
  /** Told when it changes; undefined: all is well again. */
  | { readonly trouble: StorageTrouble | undefined; readonly message: string };

export interface WriterPorts {
  /** One transaction; throws the database's errors and leaves nothing behind then. */
  readonly commit: (batches: readonly (readonly NewEvent[])[]) => (WeftEvent | null)[][];
  readonly troubleOf: (error: unknown) => StorageTrouble | undefined;
  /** True when it is worth while to try again. */
  readonly mayBeOver: (trouble: Exclude<StorageTrouble, "failed">) => boolean;
  /** Frees some of the room that is kept for ends; false when there is none left. */
  readonly giveUpRoom: () => boolean;
  readonly tell: (message: WriterMessage) => void;
  /** Calls back once, later; a later call takes the place of the one before. */
  readonly later: (delayMs: number, act: () => void) => void;
  /** Milliseconds on a clock that only goes forward. */
  readonly steadyMs: () => number;
}

/** How long whoever asks waits for a database that another program has locked. */
const LOCKED_WAIT_MS = 5000;
const TRY_AGAIN_MS = { full: 500, "read-only": 500, locked: 50 } as const;
const LONGEST_LOCKED_MS = 500;

/** Events after which there is more to do, and more to keep: on a full disk nothing begins. */
const BEGINNINGS: ReadonlySet<NewEvent["type"]> = new Set([
  "run.created",
  "run.imported",
  "run.fetching",
  "run.started",
  "run.resumed",
  "job.queued",
  "job.image",
  "job.fetching",
  "job.started",
  "catalog.changed",
]);

interface CommitFailure {
  readonly error: unknown;
  /** Undefined: the disk is not to blame. */
  readonly trouble: StorageTrouble | undefined;
}

interface Waiting extends AppendRequest {
  readonly sinceMs: number;
}

/**
 * Writes what is to be appended, as many requests at a time as have come, and decides what becomes of them when that is not
 * possible. What somebody asks for is refused, for whoever asks can ask again. What has happened waits in its order: nothing
 * follows from an event, and no run is called ended, before it is on record. On a full disk ends (and aborts) take the room
 * that is kept for them. After an error of the disk itself nothing is written any more.
 */
export class GroupWriter {
  readonly #ports: WriterPorts;
  readonly #waiting: Waiting[] = [];
  #trouble: StorageTrouble | undefined;
  #tries = 0;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  get hasFailed(): boolean {
    return this.#trouble === "failed";
  }

  /** True when it is to be flushed soon: the first to come, and whoever comes while a full disk may still take an end. */
  add(request: AppendRequest): boolean {
    this.#waiting.push({ ...request, sinceMs: this.#ports.steadyMs() });
    return this.#waiting.length === 1 || (this.#trouble !== undefined && this.#trouble !== "locked");
  }

  /** Writes what waits, as far as that is possible. Without anything that waits it finds out whether a trouble is over. */
  flush(): void {
    const requests = this.#waiting.splice(0);
    const trouble = this.#trouble;
    if (trouble === undefined && requests.length === 0) return;
    if (trouble === undefined || (trouble !== "failed" && this.#ports.mayBeOver(trouble))) this.#commit(requests);
    else this.#endure(requests, trouble);
  }

  /** A batch that cannot be written must not take the others of its transaction with it. */
  #commit(requests: readonly Waiting[]): void {
    const failure = this.#tryCommit(requests);
    if (failure === undefined) this.#enter(undefined, "");
    else this.#hearFailure(requests, failure);
  }

  #hearFailure(requests: readonly Waiting[], { error, trouble }: CommitFailure): void {
    if (trouble !== undefined) {
      this.#enter(trouble, String(error));
      this.#endure(requests, trouble);
    } else if (requests.length > 1) {
      this.#commitOneByOne(requests);
    } else {
      this.#ports.tell({ failed: requests.map(({ id }) => id), message: String(error) });
    }
  }

  /** What comes behind one that has to wait waits as well. */
  #commitOneByOne(requests: readonly Waiting[]): void {
    for (const request of requests) {
      if (this.hasFailed) this.#refuse([request], "failed");
      else if (this.#waiting.length > 0) this.#waiting.push(request);
      else this.#commit([request]);
    }
  }

  #tryCommit(requests: readonly Waiting[]): CommitFailure | undefined {
    try {
      const answers = this.#ports.commit(requests.map(({ events }) => events));
      this.#ports.tell({ answers: requests.map(({ id }, index) => ({ id, events: answers[index] ?? [] })) });
      return undefined;
    } catch (error) {
      return { error, trouble: this.#ports.troubleOf(error) };
    }
  }

  #endure(requests: readonly Waiting[], trouble: StorageTrouble): void {
    switch (trouble) {
      case "full":
        return this.#keepEnds(requests);
      case "locked":
        return this.#waitForLock(requests);
      case "read-only":
        return this.#wait(this.#refuse(requests, trouble, isAsked), TRY_AGAIN_MS[trouble]);
      case "failed":
        this.#refuse([...requests, ...this.#waiting.splice(0)], trouble);
    }
  }

  #enter(trouble: StorageTrouble | undefined, message: string): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#tries = 0;
    this.#ports.tell({ trouble, message });
  }

  #keepEnds(requests: readonly Waiting[]): void {
    const [ends, beginnings] = partition(requests, isEnd);
    const left = this.#commitEnds(ends);
    if (this.hasFailed) this.#refuse(beginnings, "failed");
    else this.#wait(this.#refuse([...left, ...beginnings], "full", isAsked), TRY_AGAIN_MS.full);
  }

  /** Slice by slice of the room that is kept for them; answers those that there was no room for. */
  #commitEnds(ends: readonly Waiting[]): readonly Waiting[] {
    for (;;) {
      const failure = ends.length === 0 ? undefined : this.#tryCommit(ends);
      if (failure === undefined) return [];
      if (failure.trouble !== "full") {
        this.#hearFailure(ends, failure);
        return [];
      }
      if (!this.#ports.giveUpRoom()) return ends;
    }
  }

  #waitForLock(requests: readonly Waiting[]): void {
    const nowMs = this.#ports.steadyMs();
    const isOver = (request: Waiting) => isAsked(request) && nowMs - request.sinceMs >= LOCKED_WAIT_MS;
    this.#tries += 1;
    const delayMs = Math.min(TRY_AGAIN_MS.locked * 2 ** this.#tries, LONGEST_LOCKED_MS);
    this.#wait(this.#refuse(requests, "locked", isOver), delayMs);
  }

  /** Refuses those of whom `isToBe` holds and answers the others. */
  #refuse(
    requests: readonly Waiting[],
    because: StorageTrouble,
    isToBe: (request: Waiting) => boolean = () => true,
  ): readonly Waiting[] {
    const [refused, others] = partition(requests, isToBe);
    if (refused.length > 0) this.#ports.tell({ refused: refused.map(({ id }) => id), because });
    return others;
  }

  #wait(requests: readonly Waiting[], delayMs: number): void {
    this.#waiting.unshift(...requests);
    this.#ports.later(delayMs, () => this.flush());
  }
}

/** By a person, who is there to be answered. */
function isAsked({ events }: Waiting): boolean {
  return events.some(({ actor }) => actor !== "engine");
}

function isEnd({ events }: Waiting): boolean {
  return !events.some(({ type }) => BEGINNINGS.has(type));
}

function partition<Entry>(entries: readonly Entry[], isFirst: (entry: Entry) => boolean): [Entry[], Entry[]] {
  return [entries.filter(isFirst), entries.filter((entry) => !isFirst(entry))];
}
