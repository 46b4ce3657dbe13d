import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

export type Row = Readonly<Record<string, unknown>>;

/**
 * A statement with parameters named `:name` in its text; SQLite gets them by position, which is three times as fast.
 */
export interface NamedStatement {
  readonly text: string;
  readonly names: readonly string[];
}

/** The text must not contain other colons. */
export function namedStatement(sql: string): NamedStatement {
  const names: string[] = [];
  const text = sql.replaceAll(/:([a-z]\w*)/g, (_, name: string) => {
    names.push(name);
    return "?";
  });
  return { text, names };
}

/** Prepared statements of one connection, each prepared once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  /** Throws for a name without a value, and, at the first use of the statement, for a value without a name. */
  write({ text, names }: NamedStatement, values: Readonly<Record<string, SQLInputValue>>): void {
    if (!this.#prepared.has(text)) refuseUnused(Object.keys(values), names);
    this.run(text, ...names.map((name) => valueOf(values, name)));
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  has(sql: string, ...values: SQLInputValue[]): boolean {
    return this.get(sql, ...values) !== undefined;
  }

  /** The first row as `convert` reads it. */
  find<Found>(convert: (row: Row) => Found, sql: string, ...values: SQLInputValue[]): Found | undefined {
    const row = this.get(sql, ...values);
    return row === undefined ? undefined : convert(row);
  }

  /** The only column of the first row; 0 if there is none, or if it is empty. */
  number(sql: string, ...values: SQLInputValue[]): number {
    return Number(Object.values(this.get(sql, ...values) ?? {})[0] ?? 0);
  }

  /** The only column of each row. */
  texts(sql: string, ...values: SQLInputValue[]): string[] {
    return this.lists(sql, ...values).map(([text]) => String(text));
  }

  /** Rows whose columns have the names and types of the fields of `Record`, which the query must ensure. */
  records<Record extends object>(sql: string, ...values: SQLInputValue[]): Record[] {
    return this.all(sql, ...values).map((row) => ({ ...row }) as Record); // see above
  }

  /** Rows as lists of their columns, for very many rows: they take a fifth of the time of objects. */
  lists(sql: string, ...values: SQLInputValue[]): readonly (readonly SQLOutputValue[])[] {
    const known = this.#prepared.get(`lists: ${sql}`);
    const statement = known ?? this.#db.prepare(sql);
    if (known === undefined) {
      statement.setReturnArrays(true);
      this.#prepared.set(`lists: ${sql}`, statement);
    }
    return statement.all(...values) as unknown as SQLOutputValue[][]; // the declaration of `all` has objects only
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

function refuseUnused(passed: readonly string[], names: readonly string[]): void {
  const unused = passed.filter((name) => !names.includes(name));
  if (unused.length > 0) throw new Error(`the statement has no parameters ${unused.join(", ")}`);
}

function valueOf(values: Readonly<Record<string, SQLInputValue>>, name: string): SQLInputValue {
  const value = values[name];
  if (value === undefined) throw new Error(`the statement needs a value for :${name}`);
  return value;
}

/** The JSON of a value for a nullable column. */
export function jsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
