import type { SQLInputValue } from "node:sqlite";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Row, Statements } from "./statements.ts";

/** A WHERE clause built up condition by condition, with its values. */
export class Where {
  readonly #conditions: string[] = [];
  readonly #values: SQLInputValue[] = [];

  add(condition: string, ...values: SQLInputValue[]): this {
    this.#conditions.push(`(${condition})`);
    this.#values.push(...values);
    return this;
  }

  addAny(column: string, values: readonly string[] | undefined): this {
    if (values === undefined || values.length === 0) return this;
    return this.add(`${column} IN (${values.map(() => "?").join(",")})`, ...values);
  }

  get sql(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
  }

  get values(): readonly SQLInputValue[] {
    return this.#values;
  }

  /** `counted`: such as `count(*) FROM jobs`. */
  count(sql: Statements, counted: string): number {
    return sql.number(`SELECT ${counted} ${this.sql}`, ...this.#values);
  }
}

/** A text with `%` and `_` taken literally, for `LIKE ? ESCAPE '\'`. */
export function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** Page tokens contain the sort key of the last entry. They are opaque to clients, and checked when a client sends one. */
export function encodeToken(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** Decodes a page token; undefined for the first page. Refuses a token that `encodeToken` did not create. */
export function decodeToken(
  token: string | undefined,
  kinds: readonly ("string" | "number")[],
): (string | number)[] | undefined {
  if (token === undefined || token === "") return undefined;
  const key = parseKey(token);
  const fits =
    Array.isArray(key) && key.length === kinds.length && key.every((part, index) => typeof part === kinds[index]);
  if (fits) return key;
  throw new Refusal("invalid-parameters", "The page token does not belong to this list.", {
    errors: [
      {
        parameter: "page_token",
        code: "invalid-token",
        detail: "not a token of this list",
        hint: "use `next_page_token` of the previous page",
      },
    ],
  });
}

function parseKey(token: string): unknown {
  const text = Buffer.from(token, "base64url").toString("utf8");
  return /^\[[^\u0000-\u001f]*\]$/.test(text) ? parseOrUndefined(text) : undefined;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Total` is `number | null` if counting would cost too much; null: there are other pages. */
export interface Page<Entry, Total = number> {
  readonly entries: readonly Entry[];
  readonly total: Total;
  readonly nextPageToken: string;
}

export interface PageShape<Entry, Total> {
  readonly size: number;
  readonly total: Total;
  readonly convert: (row: Row) => Entry;
  readonly key: (row: Row) => readonly (string | number)[];
}

/** `rows` has one more than the page if there is a next one. */
export function pageOf<Entry, Total>(rows: readonly Row[], shape: PageShape<Entry, Total>): Page<Entry, Total> {
  const shown = rows.slice(0, shape.size);
  const last = shown.at(-1);
  const nextPageToken = rows.length > shape.size && last !== undefined ? encodeToken(shape.key(last)) : "";
  return { entries: shown.map(shape.convert), total: shape.total, nextPageToken };
}
