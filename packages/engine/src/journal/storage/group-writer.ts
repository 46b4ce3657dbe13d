import type { Appended, NewEvent } from "../journal-event.ts";
import type { StorageProblem } from "./storage-problem.ts";

export interface AppendRequest {
  readonly id: number;
  readonly events: readonly NewEvent[];
}

/** The writer's answers to append requests. */
export type WriterMessage =
  | { readonly answers: readonly { readonly id: number; readonly events: readonly (Appended | null)[] }[] }
  /** The log recorded none of these requests. */
  | { readonly refused: readonly number[]; readonly because: StorageProblem }
  /** These requests failed because of an internal error. */
  | { readonly failed: readonly number[]; readonly message: string }
  /** The storage problem has changed; undefined: everything works again. */
  | { readonly storageProblem: StorageProblem | undefined; readonly message: string };

export interface WriterPorts {
  /** One transaction; throws the database's errors and then leaves nothing behind. */
  readonly commit: (batches: readonly (readonly NewEvent[])[]) => (Appended | null)[][];
  readonly storageProblemOf: (error: unknown) => StorageProblem | undefined;
  /** True if a retry is worthwhile. */
  readonly mayBeOver: (storageProblem: Exclude<StorageProblem, "failed">) => boolean;
  /** Releases some of the space reserved for ends; false if none is left. */
  readonly releaseBallast: () => boolean;
  readonly tell: (message: WriterMessage) => void;
  /** Schedules one callback; a later call replaces it. */
  readonly later: (delayMs: number, act: () => void) => void;
  /** Milliseconds on a monotonic clock. */
  readonly steadyMs: () => number;
}

/** The time for which a request waits for a database that another program has locked. */
const LOCKED_WAIT_MS = 5000;
const TRY_AGAIN_MS = { full: 500, "read-only": 500, locked: 50 } as const;
const LONGEST_LOCKED_MS = 500;

/** Events that lead to more work and more data: on a full disk, nothing begins. */
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
  /** The problem of the disk; undefined if the disk is not the reason. */
  readonly storageProblem: StorageProblem | undefined;
}

interface Waiting extends AppendRequest {
  readonly sinceMs: number;
}

/**
 * Writes append requests, batching those that have arrived, and decides what happens to them if that fails. A person's
 * request is refused, because the person can repeat it. A fact waits in order: nothing follows from an event, and no
 * run counts as ended, before it is recorded. On a full disk, ends and aborts use the reserved space. After a disk
 * error, nothing is written any more.
 */
export class GroupWriter {
  readonly #ports: WriterPorts;
  readonly #waiting: Waiting[] = [];
  #storageProblem: StorageProblem | undefined;
  #tries = 0;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  get hasFailed(): boolean {
    return this.#storageProblem === "failed";
  }

  /**
   * True if it should be flushed soon: for the first request, and for requests while a full disk may still accept an
   * end.
   */
  add(request: AppendRequest): boolean {
    this.#waiting.push({ ...request, sinceMs: this.#ports.steadyMs() });
    return this.#waiting.length === 1 || (this.#storageProblem !== undefined && this.#storageProblem !== "locked");
  }

  /** Writes the waiting requests, as far as possible. If nothing waits, finds out whether the problem is over. */
  flush(): void {
    const requests = this.#waiting.splice(0);
    const storageProblem = this.#storageProblem;
    if (storageProblem === undefined && requests.length === 0) return;
    if (storageProblem === undefined || (storageProblem !== "failed" && this.#ports.mayBeOver(storageProblem)))
      this.#commit(requests);
    else this.#waitForDisk(requests, storageProblem);
  }

  /** A batch that cannot be written must not fail the others of its transaction. */
  #commit(requests: readonly Waiting[]): void {
    const failure = this.#tryCommit(requests);
    if (failure === undefined) this.#enter(undefined, "");
    else this.#handleFailure(requests, failure);
  }

  #handleFailure(requests: readonly Waiting[], { error, storageProblem }: CommitFailure): void {
    if (storageProblem !== undefined) {
      this.#enter(storageProblem, String(error));
      this.#waitForDisk(requests, storageProblem);
    } else if (requests.length > 1) {
      this.#commitOneByOne(requests);
    } else {
      this.#ports.tell({ failed: requests.map(({ id }) => id), message: String(error) });
    }
  }

  /** Everything behind a waiting request waits too. */
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
      return { error, storageProblem: this.#ports.storageProblemOf(error) };
    }
  }

  #waitForDisk(requests: readonly Waiting[], storageProblem: StorageProblem): void {
    switch (storageProblem) {
      case "full":
        return this.#retainEnds(requests);
      case "locked":
        return this.#waitForLock(requests);
      case "read-only":
        return this.#wait(this.#refuse(requests, storageProblem, isAsked), TRY_AGAIN_MS[storageProblem]);
      case "failed":
        this.#refuse([...requests, ...this.#waiting.splice(0)], storageProblem);
    }
  }

  #enter(storageProblem: StorageProblem | undefined, message: string): void {
    if (storageProblem === this.#storageProblem) return;
    this.#storageProblem = storageProblem;
    this.#tries = 0;
    this.#ports.tell({ storageProblem, message });
  }

  #retainEnds(requests: readonly Waiting[]): void {
    const [ends, beginnings] = partition(requests, isEnd);
    const left = this.#commitEnds(ends);
    if (this.hasFailed) this.#refuse(beginnings, "failed");
    else this.#wait(this.#refuse([...left, ...beginnings], "full", isAsked), TRY_AGAIN_MS.full);
  }

  /** Releases reserved space slice by slice; returns the requests that still did not fit. */
  #commitEnds(ends: readonly Waiting[]): readonly Waiting[] {
    for (;;) {
      const failure = ends.length === 0 ? undefined : this.#tryCommit(ends);
      if (failure === undefined) return [];
      if (failure.storageProblem !== "full") {
        this.#handleFailure(ends, failure);
        return [];
      }
      if (!this.#ports.releaseBallast()) return ends;
    }
  }

  #waitForLock(requests: readonly Waiting[]): void {
    const nowMs = this.#ports.steadyMs();
    const isOver = (request: Waiting) => isAsked(request) && nowMs - request.sinceMs >= LOCKED_WAIT_MS;
    this.#tries += 1;
    const delayMs = Math.min(TRY_AGAIN_MS.locked * 2 ** this.#tries, LONGEST_LOCKED_MS);
    this.#wait(this.#refuse(requests, "locked", isOver), delayMs);
  }

  /** Refuses the requests for which `isToBe` is true, and returns the others. */
  #refuse(
    requests: readonly Waiting[],
    because: StorageProblem,
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

/** Requested by a user, who can receive the refusal. */
function isAsked({ events }: Waiting): boolean {
  return events.some(({ actor }) => actor !== "engine");
}

function isEnd({ events }: Waiting): boolean {
  return !events.some(({ type }) => BEGINNINGS.has(type));
}

function partition<Entry>(entries: readonly Entry[], isFirst: (entry: Entry) => boolean): [Entry[], Entry[]] {
  return [entries.filter(isFirst), entries.filter((entry) => !isFirst(entry))];
}
