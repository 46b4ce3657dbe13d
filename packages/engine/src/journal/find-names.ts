import { NAMES_AT_ONCE, NAME_START } from "./name-tables.ts";
import { likeText } from "./page-query.ts";
import type { Statements } from "./statements.ts";

/** A name that files of one run have, or one that only seemed to fit. */
export interface FoundName {
  readonly id: number;
  readonly fits: boolean;
}

export interface NameQuery {
  /** A part of the name; of fewer than three letters, what it begins with. A–Z and a–z count as equal. Not empty. */
  readonly text: string;
  /** Only names of runs of this owner. */
  readonly visibleOwner?: string | undefined;
  /** The newest name that is looked at; undefined: the newest of all. */
  readonly from?: number | undefined;
}

/** Letters that the index knows in a row. */
const GRAM = 3;

/** How many names are read at once. */
const PIECE = 500;

/**
 * The names that have a text in them, newest first: whoever has enough stops asking. The index walks fast in the order in
 * which names came only. So it is asked for stretches of numbers, from the newest down, each as wide as the last one was
 * poor; one with too much in it is taken up in smaller ones. A rare text is found in few steps, and of a common one nobody
 * looks further than the first page.
 */
export function* namesWith(query: NameQuery, sql: Statements): Generator<FoundName, void> {
  const last = Number(sql.get("SELECT max(id) AS id FROM file_names")?.["id"] ?? 0);
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

/** Numbers of names. */
interface Stretch {
  /** Not in it. */
  readonly bottom: number;
  readonly top: number;
}

/** At most PIECE names, or one more where there are more; newest first. */
function namesIndexed(query: NameQuery, { bottom, top }: Stretch, sql: Statements): readonly FoundName[] {
  const fits = fitting(query);
  // A number of JavaScript is bound as a floating-point one, which the index would not take for a bound of its walk.
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

/** The newest few, looked at one by one. */
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

/** For `name LIKE ? ESCAPE '\'`. */
export function namePattern(text: string): string {
  return isShort(text) ? likeText(text).slice(1) : likeText(text);
}

function isShort(text: string): boolean {
  return [...text].length < GRAM;
}

/** Every three letters in a row of a text, or of the beginning of a name, all of which a name must have. */
function gramsOf(text: string): string {
  const signs = [...(isShort(text) ? NAME_START + text : text)];
  const grams = signs.slice(GRAM - 1).map((_, at) => signs.slice(at, at + GRAM).join(""));
  return [...new Set(grams)].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" AND ");
}
