import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { LOG_FEATURES } from "../../../src/app/features.ts";
import { prepareForWriting } from "../../../src/journal/open-database.ts";

/**
 * A database in memory that keeps its tables and prepared statements from one world to the next: making them takes longer
 * than most worlds do.
 */
export class ReusedDatabase extends DatabaseSync {
  readonly #statements = { objects: new Map<string, StatementSync>(), lists: new Map<string, StatementSync>() };
  #clearing: readonly StatementSync[] = [];
  /** Statements that insert the rows of a new database. */
  readonly #initial: readonly string[];

  constructor() {
    super(":memory:");
    prepareForWriting(this, "full", LOG_FEATURES);
    this.#initial = initialRowsOf(this);
    this.#prepareClearing();
  }

  override prepare(sql: string): StatementSync {
    const known = (form: RowForm) => {
      const statements = this.#statements[form];
      const statement = statements.get(sql) ?? super.prepare(sql);
      statements.set(sql, statement);
      return statement;
    };
    return new CachedStatement(known) as unknown as StatementSync; // with the methods that the engine calls
  }

  /** The connection stays for the next server and the next world. */
  override close(): void {}

  /** Removes all rows except those with which a database begins. */
  clear(): void {
    if (this.isTransaction) super.exec("ROLLBACK");
    super.exec("BEGIN");
    for (const statement of this.#clearing) statement.run();
    for (const sql of this.#initial) super.exec(sql);
    super.exec("COMMIT");
  }

  /** The prepared statements are of no use afterwards. */
  replaceContent(content: Uint8Array<ArrayBuffer>): void {
    super.deserialize(content);
    for (const statements of Object.values(this.#statements)) statements.clear();
    this.#prepareClearing();
  }

  discard(): void {
    super.close();
  }

  #prepareClearing(): void {
    this.#clearing = tablesOf(this).map((table) => super.prepare(`DELETE FROM ${table}`));
  }
}

type RowForm = "objects" | "lists";

/** A statement for rows as objects, and another one for rows as lists. */
class CachedStatement {
  readonly #known: (form: RowForm) => StatementSync;
  readonly #objects: StatementSync;
  #statement: StatementSync;

  constructor(known: (form: RowForm) => StatementSync) {
    this.#known = known;
    this.#objects = known("objects");
    this.#statement = this.#objects;
  }

  setReturnArrays(isOn: boolean): void {
    this.#statement = isOn ? this.#known("lists") : this.#objects;
    if (isOn) this.#statement.setReturnArrays(true);
  }

  run(...values: SQLInputValue[]) {
    return this.#statement.run(...values);
  }

  get(...values: SQLInputValue[]) {
    return this.#statement.get(...values);
  }

  all(...values: SQLInputValue[]) {
    return this.#statement.all(...values);
  }
}

function initialRowsOf(database: DatabaseSync): readonly string[] {
  return tablesOf(database).flatMap((table) =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map(
        (row) => `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.values(row).map(literal).join()})`,
      ),
  );
}

function literal(value: unknown): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** All tables with rows; the index of names is too small here to have any. */
export function tablesOf(database: DatabaseSync): readonly string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'file_name_parts%'`;
  return database
    .prepare(sql)
    .all()
    .map((row) => String(row["name"]));
}
