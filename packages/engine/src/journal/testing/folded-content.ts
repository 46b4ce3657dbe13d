import { DatabaseSync } from "node:sqlite";
import { LOG_TABLES } from "../schema.ts";

/** The rows of all tables that are folded from a log, except the index of names, which cannot be read in rows. */
export function foldedContent(path: string): Readonly<Record<string, readonly unknown[]>> {
  using db = new DatabaseSync(path, { readOnly: true });
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !LOG_TABLES.includes(name) && !name.startsWith("file_name_parts"));
  return Object.fromEntries(tables.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]));
}
