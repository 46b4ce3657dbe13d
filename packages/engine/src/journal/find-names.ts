import { NAMES_AT_ONCE, NAME_START } from "./name-tables.ts";
import { likeText } from "./page-query.ts";
import type { Statements } from "./statements.ts";

/** A name of files of one run, or one that only seemed to match. */
export interface FoundName {
  readonly id: number;
  readonly fits: boolean;
}

export interface NameQuery {
  /** Part of the name; with fewer than three letters, its beginning. Ignores the case of A–Z. Not empty. */
  readonly text: string;
  /** Limits the result to names from this owner's runs. */
  readonly visibleOwner?: string | undefined;
  /** The newest name to consider; undefined: the newest of all. */
  readonly from?: number | undefined;
}

/** Number of consecutive letters in the index. */
const GRAM = 3;

/** Number of names read at a time. */
const PIECE = 500;

/**
 * The names that contain a text, newest first; a caller stops when it has enough. The index is only fast in the order
 * in which names were added. So this searches ranges of numbers from the newest downwards; a poor range makes the next
 * one wider, and a rich one is split. A rare text takes few steps, and a common one needs only the first page.
 */
export function* namesWith(query: NameQuery, sql: Statements): Generator<FoundName, void> {
  const last = sql.number("SELECT max(id) FROM file_names");
  const indexed = last - (last % NAMES_AT_ONCE);
  const newest = Math.min(query.from ?? last, last);
  if (newest > indexed) yield* namesNotIndexed(query, { bottom: indexed, top: newest }, sql);
  let top = Math.min(newest, indexed);
  let width = PIECE;
  while (top > 0) {
    const bottom = Math.max(0, top - width);
    const names = namesIndexed(query, { bottom, top }, sql);
    if (names.length > PIECE) {
      width = Math.max(PIECE, Math.floor(width / 4));
      continue;
    }
    yield* names;
    top = bottom;
    width *= 4;
  }
}

/** A range of name numbers. */
interface Stretch {
  /** Exclusive. */
  readonly bottom: number;
  readonly top: number;
}

/** At most PIECE names, or one more if there are more; newest first. */
function namesIndexed(query: NameQuery, { bottom, top }: Stretch, sql: Statements): readonly FoundName[] {
  const fits = fitting(query);
  // JavaScript numbers are bound as floating point, which the index does not accept as a bound.
  const rows = sql.all(
    `SELECT id, ${fits.sql} AS fits FROM file_names WHERE id IN
       (SELECT rowid FROM file_name_parts WHERE file_name_parts MATCH ?
         AND rowid > CAST(? AS INTEGER) AND rowid <= CAST(? AS INTEGER) ORDER BY rowid LIMIT ?) ORDER BY id DESC`,
    ...fits.values,
    gramsOf(query.text),
    bottom,
    top,
    PIECE + 1,
  );
  return rows.map(({ id, fits: isFitting }) => ({ id: Number(id), fits: isFitting === 1 }));
}

/** The newest few names, checked one by one. */
function namesNotIndexed(query: NameQuery, { bottom, top }: Stretch, sql: Statements): readonly FoundName[] {
  const { sql: condition, values } = fitting(query);
  const text = `SELECT id FROM file_names WHERE id > ? AND id <= ? AND ${condition} ORDER BY id DESC`;
  return sql.all(text, bottom, top, ...values).map(({ id }) => ({ id: Number(id), fits: true }));
}

function fitting({ text, visibleOwner }: NameQuery): { readonly sql: string; readonly values: readonly string[] } {
  const isNamed = "name LIKE ? ESCAPE '\\'";
  if (visibleOwner === undefined) return { sql: isNamed, values: [namePattern(text)] };
  const isVisible = "EXISTS (SELECT 1 FROM runs WHERE runs.run_id = file_names.run_id AND runs.owner = ?)";
  return { sql: `${isNamed} AND ${isVisible}`, values: [namePattern(text), visibleOwner] };
}

/** The operand of `name LIKE ? ESCAPE '\'`. */
export function namePattern(text: string): string {
  return isShort(text) ? likeText(text).slice(1) : likeText(text);
}

function isShort(text: string): boolean {
  return [...text].length < GRAM;
}

/** Every three consecutive letters of a text, or of the beginning of a name; a matching name contains all of them. */
function gramsOf(text: string): string {
  const signs = [...(isShort(text) ? NAME_START + text : text)];
  const grams = signs.slice(GRAM - 1).map((_, at) => signs.slice(at, at + GRAM).join(""));
  return [...new Set(grams)].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" AND ");
}
