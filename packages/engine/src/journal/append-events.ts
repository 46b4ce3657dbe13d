import type { DatabaseSync } from "node:sqlite";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { eventHash, FIRST_HASH } from "./event-hash.ts";
import type { NewEvent } from "./journal-event.ts";
import { OPEN_RUN } from "./open-run.ts";
import { projectEvent } from "./project-event.ts";
import { RunTally } from "./run-tally.ts";
import { Statements } from "./statements.ts";
import type { LogTime } from "./storage/log-clock.ts";

/** Gives events their time; asks whether any run is open. */
export interface AppendClock {
  read(isIdle: () => boolean): LogTime;
  readonly offsetMs: number;
}

/** Where the log ends: the number and the hash of its last event. */
export interface LogHead {
  readonly seq: number;
  readonly hash: string;
}

/**
 * The one writer of the log. A batch is one transaction: each event is judged against the state that the ones before it
 * left, gets the next number and a hash that takes up the one before, and changes the projections; an event that comes too
 * late (its run or job is final already) is refused and leaves no trace. `null` in the answer stands for a refused event.
 */
export class EventAppender {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;
  readonly #tally: RunTally;
  readonly #clock: AppendClock;
  #head: LogHead;
  /** How far the clock was set since the last commit. */
  #movedMs = 0;

  /** `clockFrom` is told the last time on record where a run is open, else nothing. */
  constructor(db: DatabaseSync, clockFrom: (openSinceMs?: number) => AppendClock) {
    this.#db = db;
    this.#sql = new Statements(db);
    this.#tally = new RunTally(this.#sql);
    this.#head = readHead(this.#sql);
    const last = this.#sql.get("SELECT time_ms FROM events ORDER BY seq DESC LIMIT 1");
    this.#clock = last === undefined || this.#isIdle() ? clockFrom() : clockFrom(Number(last["time_ms"]));
  }

  /** How far the log's time is ahead of the steady clock. */
  get clockOffsetMs(): number {
    return this.#clock.offsetMs;
  }

  /** Several batches in one transaction: the cost of a durable commit is shared. */
  appendAll(batches: readonly (readonly NewEvent[])[]): (WeftEvent | null)[][] {
    const before = this.#head;
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const nowMs = this.#readClock();
      const answers = batches.map((batch) => batch.map((event) => this.#append(event, nowMs)));
      this.#tally.write(nowMs);
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

  /** What is to last a time lasts that time, whatever the clock is set to. */
  #readClock(): number {
    const { nowMs, movedMs } = this.#clock.read(() => this.#isIdle());
    this.#movedMs += movedMs;
    if (this.#movedMs !== 0) this.#sql.run("UPDATE idempotency SET created_ms = created_ms + ?", this.#movedMs);
    return nowMs;
  }

  #isIdle(): boolean {
    return this.#sql.get(`SELECT 1 FROM runs WHERE ${OPEN_RUN} LIMIT 1`) === undefined;
  }

  #append(event: NewEvent, nowMs: number): WeftEvent | null {
    if (!projectEvent(event, { sql: this.#sql, tally: this.#tally, nowMs })) return null;
    for (const blob of event.blobs ?? [])
      this.#sql.run("INSERT OR IGNORE INTO blobs (digest, text) VALUES (?, ?)", blob.digest, blob.text);
    this.#store(event, nowMs);
    const { type, run_id, job_id, step, sample_id, actor, data } = event;
    return {
      seq: this.#head.seq,
      type,
      time: new Date(nowMs).toISOString(),
      run_id,
      ...(job_id === undefined ? {} : { job_id }),
      ...(step === undefined ? {} : { step }),
      ...(sample_id === undefined ? {} : { sample_id }),
      actor,
      data: { ...data },
    } as WeftEvent; // `type` and `data` are from one event, which the compiler forgets
  }

  #store({ type, run_id: runId, job_id, step, sample_id, actor, data }: NewEvent, timeMs: number): void {
    const place = { jobId: job_id ?? null, step: step ?? null, sampleId: sample_id ?? null };
    const stored = { seq: this.#head.seq + 1, type, timeMs, runId, ...place, actor, data: JSON.stringify(data) };
    const hash = eventHash(this.#head.hash, stored);
    this.#sql.run(
      "INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data, hash) VALUES (?,?,?,?,?,?,?,?,?,?)",
      stored.seq,
      runId,
      type,
      timeMs,
      stored.jobId,
      stored.step,
      stored.sampleId,
      actor,
      stored.data,
      hash,
    );
    this.#head = { seq: stored.seq, hash };
  }
}

export function readHead(sql: Statements): LogHead {
  const row = sql.get("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1");
  return row === undefined ? { seq: 0, hash: FIRST_HASH } : { seq: Number(row["seq"]), hash: String(row["hash"]) };
}
