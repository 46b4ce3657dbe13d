import type { DatabaseSync } from "node:sqlite";
import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import type { NewEvent } from "./journal-event.ts";
import { projectEvent } from "./project-event.ts";
import { RunTally } from "./run-tally.ts";
import { Statements } from "./statements.ts";

/**
 * The one writer of the log. A batch is one transaction: each event is judged against the state that the ones before it
 * left, gets the next number, and changes the projections; an event that comes too late (its run or job is final
 * already) is refused and leaves no trace. `null` in the answer stands for a refused event.
 */
export class EventAppender {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;
  readonly #tally: RunTally;
  #lastSeq: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sql = new Statements(db);
    this.#tally = new RunTally(this.#sql);
    this.#lastSeq = Number(this.#sql.get("SELECT max(seq) AS seq FROM events")?.["seq"] ?? 0);
  }

  /** Several batches in one transaction: the cost of a durable commit is shared. */
  appendAll(batches: readonly (readonly NewEvent[])[], nowMs: number): (WeftEvent | null)[][] {
    const before = this.#lastSeq;
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const answers = batches.map((batch) => batch.map((event) => this.#append(event, nowMs)));
      this.#tally.write(nowMs);
      this.#db.exec("COMMIT");
      return answers;
    } catch (error) {
      this.#tally.forget();
      this.#lastSeq = before;
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #append(event: NewEvent, nowMs: number): WeftEvent | null {
    if (!projectEvent(event, { sql: this.#sql, tally: this.#tally, nowMs })) return null;
    this.#lastSeq += 1;
    for (const blob of event.blobs ?? [])
      this.#sql.run("INSERT OR IGNORE INTO blobs (digest, text) VALUES (?, ?)", blob.digest, blob.text);
    const { type, run_id, job_id, step, sample_id, actor, data } = event;
    this.#sql.run(
      "INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data) VALUES (?,?,?,?,?,?,?,?,?)",
      this.#lastSeq,
      run_id,
      type,
      nowMs,
      job_id ?? null,
      step ?? null,
      sample_id ?? null,
      actor,
      JSON.stringify(data),
    );
    return {
      seq: this.#lastSeq,
      type,
      time: new Date(nowMs).toISOString(),
      run_id,
      ...(job_id === undefined ? {} : { job_id }),
      ...(step === undefined ? {} : { step }),
      ...(sample_id === undefined ? {} : { sample_id }),
      actor,
      data: { ...data },
    };
  }
}
