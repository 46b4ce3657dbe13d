import type { AuditFacts } from "./audit-chain.ts";

/** Kinds of refusals that are told apart within a minute. */
const MOST_KINDS = 100;

interface Tally {
  readonly facts: AuditFacts;
  /** Of those after the first. */
  count: number;
}

/**
 * Keeps refused requests from filling the disk: the first of a kind (who, from where, what, why) within a minute is
 * recorded at once, all later ones are counted and share one entry at its end. Beyond a hundred kinds they share one.
 */
export class RefusalTally {
  readonly #record: (facts: AuditFacts) => void;
  readonly #tallies = new Map<string, Tally>();

  constructor(record: (facts: AuditFacts) => void) {
    this.#record = record;
  }

  add(facts: AuditFacts): void {
    const kind = `${facts.client} ${facts.principal} ${facts.action} ${facts.code}`;
    const isFull = this.#tallies.size >= MOST_KINDS && !this.#tallies.has(kind);
    const key = isFull ? "others" : kind;
    const known = this.#tallies.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const told = isFull
      ? { ...facts, client: "several", target: "of more clients and kinds than are told apart" }
      : facts;
    this.#tallies.set(key, { facts: told, count: 0 });
    this.#record(told);
  }

  /** Ends the minute: what was counted is recorded. */
  flush(time: string): void {
    for (const { facts, count } of this.#tallies.values())
      if (count > 0) this.#record({ ...facts, time, request_id: null, count });
    this.#tallies.clear();
  }
}
