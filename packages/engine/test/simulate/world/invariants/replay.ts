import type { DatabaseSync } from "node:sqlite";
import { LOG_FEATURES } from "../../../../src/app/features.ts";
import { foldLog } from "../../../../src/journal/fold-log.ts";
import { LOG_TABLES } from "../../../../src/journal/schema.ts";
import { ReusedDatabase, tablesOf } from "../reused-database.ts";
import { Violation } from "../violation.ts";

let again: ReusedDatabase | undefined;

/** The tables equal those that a rebuild folds from the log. */
export function checkReplay(database: DatabaseSync): void {
  again ??= new ReusedDatabase();
  again.clear();
  again.exec("BEGIN");
  for (const table of LOG_TABLES) copyRows(database, again, table);
  for (const { damaged } of foldLog(again, LOG_FEATURES))
    if (damaged.length > 0) throw new Violation("replaying the log gives the same state", `event ${damaged.join()}`);
  again.exec("COMMIT");
  for (const table of tablesOf(database)) compare(database, again, table);
}

function copyRows(from: DatabaseSync, to: DatabaseSync, table: string): void {
  for (const row of from.prepare(`SELECT * FROM ${table}`).all()) {
    const values = Object.values(row);
    to.prepare(`INSERT INTO ${table} VALUES (${values.map(() => "?").join()})`).run(...values);
  }
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
