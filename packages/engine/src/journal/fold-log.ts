import type { DatabaseSync } from "node:sqlite";
import { eventSchema } from "@weft/shared/events/event.ts";
import type { NewEvent } from "./journal-event.ts";
import { FeatureFolds, type LogFeature } from "./log-feature.ts";
import { projectEvent } from "./project-event.ts";
import { newEventOf, toEvent } from "./read-events.ts";
import { RunTally } from "./run-tally.ts";
import { Statements, type Row } from "./statements.ts";

/** Number of events that share a savepoint. */
const BATCH = 1000;

export interface FoldedBatch {
  /** Number of the last folded event. */
  readonly seq: number;
  /** Numbers of the events that cannot be read. */
  readonly damaged: readonly number[];
}

/** Folds all events into empty tables, within a transaction of the caller. */
export function* foldLog(db: DatabaseSync, features: readonly LogFeature[]): Generator<FoldedBatch> {
  const fold = new BatchFold(db, features);
  const next = "SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?";
  for (let rows = fold.sql.all(next, 0, BATCH); rows.length > 0;) {
    const seq = Number(rows.at(-1)?.["seq"]);
    yield { seq, damaged: fold.apply(rows) };
    rows = fold.sql.all(next, seq, BATCH);
  }
}

class BatchFold {
  readonly sql: Statements;
  readonly #db: DatabaseSync;
  readonly #tally: RunTally;
  readonly #features: FeatureFolds;
  #hasDamage = false;

  constructor(db: DatabaseSync, features: readonly LogFeature[]) {
    this.#db = db;
    this.#features = new FeatureFolds(features);
    this.sql = new Statements(db);
    this.#tally = new RunTally(this.sql);
  }

  /** Returns the numbers of damaged events, which it skips. It finds them by halving the batch. */
  apply(rows: readonly Row[]): readonly number[] {
    this.#db.exec("SAVEPOINT batch");
    try {
      for (const row of rows) this.#project(row);
      this.#tally.write();
      this.#db.exec("RELEASE batch");
      return [];
    } catch (error) {
      // SQLite itself ends the transaction if the disk is full.
      if (!this.#db.isTransaction) throw error;
      this.#db.exec("ROLLBACK TO batch; RELEASE batch");
      this.#tally.forget();
      if (rows.length > 1) {
        const middle = Math.ceil(rows.length / 2);
        return [...this.apply(rows.slice(0, middle)), ...this.apply(rows.slice(middle))];
      }
      return this.#skip(rows, error);
    }
  }

  #project(row: Row): void {
    projectEvent(withBlobs(newEventOf(row), this.sql), {
      sql: this.sql,
      tally: this.#tally,
      nowMs: Number(row["time_ms"]),
      seq: Number(row["seq"]),
      features: this.#features,
    });
  }

  /** Events that follow a damaged one may lack their run. Any other error is not the log's fault. */
  #skip(rows: readonly Row[], error: unknown): readonly number[] {
    if (!this.#hasDamage && rows.every(isDeclared)) throw error;
    this.#hasDamage = true;
    return rows.map((row) => Number(row["seq"]));
  }
}

function isDeclared(row: Row): boolean {
  try {
    return eventSchema.safeParse(toEvent(row)).success;
  } catch {
    return false;
  }
}

function withBlobs(event: NewEvent, sql: Statements): NewEvent {
  return event.type === "run.imported" ? { ...event, blobs: foldedBlob(event.data.folded, sql) } : event;
}

function foldedBlob(digest: string, sql: Statements) {
  return sql.texts("SELECT text FROM blobs WHERE digest = ?", digest).map((text) => ({ digest, text }));
}
