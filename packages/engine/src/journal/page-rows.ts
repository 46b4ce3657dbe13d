import type { Where } from "./page-query.ts";
import { encodeToken } from "./page-query.ts";
import type { Row, Statements } from "./statements.ts";

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

export function countRows(sql: Statements, table: "jobs" | "files", where: Where): number {
  return Number(sql.get(`SELECT count(*) AS n FROM ${table} ${where.sql}`, ...where.values)?.["n"] ?? 0);
}
