import type { DatabaseSync } from "node:sqlite";
import { eventHash, FIRST_HASH } from "./event-hash.ts";
import type { Appended, Blob, LongBlob, NewEvent } from "./journal-event.ts";
import { OPEN_RUN } from "./schema.ts";
import { FeatureFolds, type LogFeature } from "./log-feature.ts";
import { projectEvent } from "./project-event.ts";
import type { Projection } from "./project-job.ts";
import { canUse } from "./project-storage.ts";
import { RunTally } from "./run-tally.ts";
import { namedStatement, Statements } from "./statements.ts";
import type { LogTime } from "./storage/log-clock.ts";

/** Provides event times; `isIdle` returns whether no run is open. */
export interface AppendClock {
  read(isIdle: () => boolean): LogTime;
  readonly offsetMs: number;
}

/** The end of the log: number and hash of its last event. */
export interface LogHead {
  readonly seq: number;
  readonly hash: string;
}

/**
 * The only writer of the log. Each batch is one transaction. Each event is checked against the state that earlier
 * events left, gets the next number and a hash that includes the previous one, and updates the projections. An event
 * that comes too late (its run or job is already final) is refused and leaves no trace; the result contains `null` for
 * it.
 */
export class EventAppender {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;
  readonly #tally: RunTally;
  readonly #clock: AppendClock;
  readonly #features: FeatureFolds;
  #head: LogHead;
  /** The change of the clock since the last commit. */
  #movedMs = 0;

  /** `clockFrom` receives the last recorded time if a run is open, otherwise nothing. */
  constructor(
    db: DatabaseSync,
    clockFrom: (openSinceMs?: number) => AppendClock,
    features: readonly LogFeature[] = [],
  ) {
    this.#db = db;
    this.#features = new FeatureFolds(features);
    this.#sql = new Statements(db);
    this.#tally = new RunTally(this.#sql);
    this.#head = readHead(this.#sql);
    const lastMs = this.#sql.number("SELECT time_ms FROM events ORDER BY seq DESC LIMIT 1");
    this.#clock = this.#isIdle() ? clockFrom() : clockFrom(lastMs);
  }

  /** The difference between log time and the steady clock. */
  get clockOffsetMs(): number {
    return this.#clock.offsetMs;
  }

  /** Several batches in one transaction share the cost of a durable commit. */
  appendAll(batches: readonly (readonly NewEvent[])[]): (Appended | null)[][] {
    const before = this.#head;
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const nowMs = this.#readClock();
      const answers = batches.map((batch) => batch.map((event) => this.#append(event, nowMs)));
      this.#tally.write();
      this.#db.exec("COMMIT");
      this.#movedMs = 0;
      return answers;
    } catch (error) {
      this.#tally.forget();
      this.#head = before;
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Keeps durations unchanged when the clock is set. */
  #readClock(): number {
    const { nowMs, movedMs } = this.#clock.read(() => this.#isIdle());
    this.#movedMs += movedMs;
    if (this.#movedMs !== 0) this.#sql.run("UPDATE idempotency SET created_ms = created_ms + ?", this.#movedMs);
    return nowMs;
  }

  #isIdle(): boolean {
    return !this.#sql.has(`SELECT 1 FROM runs WHERE ${OPEN_RUN} LIMIT 1`);
  }

  #append(event: NewEvent, nowMs: number): Appended | null {
    const seq = this.#head.seq + 1;
    const into = { sql: this.#sql, tally: this.#tally, nowMs, seq, features: this.#features };
    if (event.type === "run.created" && !mayCreate(event, into)) return null;
    if (event.type === "automation.created" && !claimKey(event, event.data.automation_id, into)) return null;
    if (!projectEvent(event, into)) return null;
    for (const blob of event.blobs ?? []) this.#keep(blob);
    this.#store(event, { seq, timeMs: nowMs });
    return { seq, timeMs: nowMs };
  }

  #keep(blob: Blob | LongBlob): void {
    if ("text" in blob)
      this.#sql.run("INSERT OR IGNORE INTO blobs (digest, text) VALUES (?, ?)", blob.digest, blob.text);
    else {
      const parts = JSON.stringify(blob.parts);
      this.#sql.run("INSERT OR IGNORE INTO long_blobs (digest, parts) VALUES (?, ?)", blob.digest, parts);
    }
  }

  #store(event: NewEvent, at: Appended): void {
    const { type, run_id: runId, job_id: jobId = null, step = null, sample_id: sampleId = null, actor } = event;
    const stored = { ...at, type, runId, jobId, step, sampleId, actor, data: JSON.stringify(event.data) };
    const hash = eventHash(this.#head.hash, stored);
    this.#sql.write(INSERT_EVENT, { ...stored, hash });
    this.#head = { seq: at.seq, hash };
  }
}

const INSERT_EVENT = namedStatement(
  `INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data, hash)
   VALUES (:seq, :runId, :type, :timeMs, :jobId, :step, :sampleId, :actor, :data, :hash)`,
);

export function readHead(sql: Statements): LogHead {
  const row = sql.get("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1");
  return row === undefined ? { seq: 0, hash: FIRST_HASH } : { seq: Number(row["seq"]), hash: String(row["hash"]) };
}

type Created = Extract<NewEvent, { type: "run.created" }>;

/** False if its inputs are being removed, a feature refuses it, or its key has a run. */
function mayCreate(event: Created, into: Projection): boolean {
  const { sql, features } = into;
  return canUse(sql, event.data.uses ?? []) && features.mayStart(event, sql) && claimKey(event, event.run_id, into);
}

/** The time for which a key refers to its run; afterwards, it can be used again. */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000;

/** False if the key is in use: the caller then returns what has it. The rest of the creation never fails. */
function claimKey(
  { actor, data: { idempotency } }: Created | Extract<NewEvent, { type: "automation.created" }>,
  id: string,
  { sql, nowMs }: Projection,
): boolean {
  if (idempotency === undefined) return true;
  const { key, body_digest } = idempotency;
  const expired = "DELETE FROM idempotency WHERE principal = ? AND key = ? AND created_ms <= ?";
  sql.run(expired, actor, key, nowMs - KEY_LIFE_MS);
  if (sql.has("SELECT 1 FROM idempotency WHERE principal = ? AND key = ?", actor, key)) return false;
  const claim = "INSERT INTO idempotency (principal, key, body_digest, run_id, created_ms) VALUES (?,?,?,?,?)";
  sql.run(claim, actor, key, body_digest, id, nowMs);
  return true;
}
