import type { DatabaseSync } from "node:sqlite";
import { EventAppender } from "../../../../src/journal/append-events.ts";
import type { NewEvent } from "../../../../src/journal/journal-event.ts";
import { ReusedDatabase, tablesOf } from "../reused-database.ts";
import { Violation } from "../violation.ts";

type Row = Readonly<Record<string, unknown>>;

let again: ReusedDatabase | undefined;

/** Folding the events of a log again gives the same tables, except those in `without`. */
export function checkReplay(database: DatabaseSync, without: readonly string[] = []): void {
  again ??= new ReusedDatabase();
  again.clear();
  let nowMs = 0;
  const appender = new EventAppender(again, () => ({ read: () => ({ nowMs, movedMs: 0 }), offsetMs: 0 }));
  for (const table of ["blobs", "long_blobs"]) {
    const insert = again.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    for (const row of database.prepare(`SELECT * FROM ${table}`).all()) insert.run(...Object.values(row));
  }
  const rows = database.prepare("SELECT * FROM events ORDER BY seq").all();
  for (const [timeMs, events] of Map.groupBy(rows, (row) => Number(row["time_ms"]))) {
    nowMs = timeMs;
    appender.appendAll([events.map(eventOf)]);
  }
  for (const table of tablesOf(database)) if (!without.includes(table)) compare(database, again, table);
}

function eventOf(row: Row): NewEvent {
  const { type, run_id, job_id, step, sample_id, actor, data } = row;
  return {
    ...{ type, run_id, actor, data: JSON.parse(String(data)) as unknown },
    ...(job_id === null ? {} : { job_id }),
    ...(step === null ? {} : { step }),
    ...(sample_id === null ? {} : { sample_id }),
  } as NewEvent; // as the log recorded it
}

function compare(database: DatabaseSync, again: DatabaseSync, table: string): void {
  const rowsOf = (db: DatabaseSync) =>
    db
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify(row));
  const [recorded, folded] = [rowsOf(database), rowsOf(again)];
  const at = recorded.findIndex((row, index) => row !== folded[index]);
  if (at === -1 && recorded.length === folded.length) return;
  const message = `${table}: ${recorded[at] ?? "nothing"} was folded as ${folded[Math.max(0, at)] ?? "nothing"}`;
  throw new Violation("replaying the log gives the same state", message);
}
