import { eventHash, FIRST_HASH, type StoredEvent } from "../../journal/event-hash.ts";
import type { Finding } from "./finding.ts";

export interface HashedEvent extends StoredEvent {
  readonly hash: string;
}

/** The end of a log at an earlier time, as the user noted it. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Follows the hash chain of a log, event by event in order, and finds changed and missing events. After a
 * break, continues with the recorded hash, so that each change is reported once.
 */
export class EventChain {
  readonly #expected: Head | undefined;
  #head: Head = { seq: 0, hash: FIRST_HASH };

  /** `expected`: the hash that the log must still have at that number. */
  constructor(expected: Head | undefined) {
    this.#expected = expected;
  }

  get head(): Head {
    return this.#head;
  }

  *follow(event: HashedEvent): Generator<Finding> {
    const { seq, hash } = this.#head;
    if (event.seq !== seq + 1) yield missing(seq + 1, event.seq - 1);
    else if (eventHash(hash, event) !== event.hash) yield changed(event);
    this.#head = { seq: event.seq, hash: event.hash };
    if (event.seq === this.#expected?.seq && event.hash !== this.#expected.hash)
      yield { kind: "event-changed", subject: `event ${event.seq}`, detail: "is not the one whose hash was noted" };
  }

  /** Call after the last event. */
  *end(): Generator<Finding> {
    const expected = this.#expected?.seq ?? 0;
    if (expected > this.#head.seq) yield missing(this.#head.seq + 1, expected);
  }
}

export function eventText({ seq, type, jobId, runId }: StoredEvent): string {
  const job = jobId === null ? "" : ` of job ${jobId}`;
  const run = runId === null ? "" : ` of run ${runId}`;
  return `event ${seq} (${type}${job}${run})`;
}

function changed(event: HashedEvent): Finding {
  const before = event.seq === 1 ? "" : `, or event ${event.seq - 1} was changed together with its hash`;
  return {
    kind: "event-changed",
    subject: eventText(event),
    detail: `does not match the hash chain: it was changed${before}`,
  };
}

function missing(first: number, last: number): Finding {
  const subject = first === last ? `event ${first}` : `events ${first} to ${last}`;
  return { kind: "event-missing", subject, detail: first === last ? "is missing" : "are missing" };
}
