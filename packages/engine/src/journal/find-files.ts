import { filesWhere, type FileQuery } from "./files-where.ts";
import { namesWith } from "./find-names.ts";
import { decodeToken, encodeToken, pageOf, type Page } from "./page-query.ts";
import { toFileRow, type FileRow } from "./rows.ts";
import type { Row, Statements } from "./statements.ts";

/** Maximum number of names per page, including those that other conditions exclude. */
export const NAMES_PER_PAGE = 5000;

/** The last entry of a page. */
interface Place {
  readonly nameId: number;
  readonly fileId: number;
}

/** Greater than the ID of any file. */
const NO_FILE_YET = Number.MAX_SAFE_INTEGER;

/**
 * Files of all runs whose name contains a text. Names come newest first, and with each name its files, newest first. A
 * page ends after NAMES_PER_PAGE names: it may contain few files or none and still have a next page. So the cost of a
 * page does not grow with the log.
 */
export function filesByName(
  query: FileQuery & { readonly text: string },
  sql: Statements,
): Page<FileRow, number | null> {
  const { pageSize: size, text, visibleOwner } = query;
  const from = placeOf(query.pageToken);
  const filesOf = finderOf(query, sql);
  const rows: Row[] = [];
  let looked = 0;
  for (const { id, fits } of namesWith({ text, visibleOwner, from: from?.nameId }, sql)) {
    if (looked++ === NAMES_PER_PAGE)
      return { entries: rows.map(toFileRow), total: null, nextPageToken: encodeToken([id, NO_FILE_YET]) };
    const place = { nameId: id, fileId: id === from?.nameId ? from.fileId : NO_FILE_YET };
    if (fits) rows.push(...filesOf(place, size + 1 - rows.length));
    if (rows.length > size) break;
  }
  const total = from === undefined && rows.length <= size ? rows.length : null;
  return pageOf(rows, { size, total, convert: toFileRow, key: (row) => [Number(row["name_id"]), Number(row["id"])] });
}

function placeOf(token: string | undefined): Place | undefined {
  const [nameId, fileId] = decodeToken(token, ["number", "number"]) ?? [];
  return nameId === undefined ? undefined : { nameId: Number(nameId), fileId: Number(fileId) };
}

/** A statement that finds the files of one name after a position that meet the other conditions, newest first. */
function finderOf(query: FileQuery, sql: Statements): (after: Place, limit: number) => readonly Row[] {
  // Excludes names of runs that the caller may not see.
  const where = filesWhere({ ...query, visibleOwner: undefined }, { isOfOneName: true }).add("name_id = ? AND id < ?");
  const text = `SELECT * FROM files ${where.sql} ORDER BY id DESC LIMIT ?`;
  return ({ nameId, fileId }, limit) => sql.all(text, ...where.values, nameId, fileId, limit);
}
