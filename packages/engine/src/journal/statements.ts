import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

export type Row = Readonly<Record<string, unknown>>;

/**
 * A statement with parameters named `:name` in its text; SQLite gets them by position, which is three times as fast.
 */
export interface NamedStatement {
  readonly text: string;
  readonly names: readonly string[];
}

/** Names are in snake case. The text must not contain other colons. */
export function namedStatement(sql: string): NamedStatement {
  const names: string[] = [];
  const text = sql.replaceAll(/:([a-z][a-z0-9_]*)/g, (_, name: string) => {
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
