import { filesWhere, isNarrow, type FileQuery } from "./files-where.ts";
import { filesByName } from "./find-files.ts";
import { decodeToken, pageOf, type Page } from "./page-query.ts";
import { toFileRow, type FileRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** Queries about files that were read or written. */
export function readFiles(sql: Statements) {
  return {
    /** Occurrences of files, newest first; for a part of a name, in the order of `filesByName`. */
    files(query: FileQuery): Page<FileRow, number | null> {
      const { text = "" } = query;
      // No name matches, and SQLite would search on in vain.
      if (text.includes("\0")) return { entries: [], total: 0, nextPageToken: "" };
      return text === "" || isNarrow(query) ? listFiles(query, sql) : filesByName({ ...query, text }, sql);
    },

    /** Everything that a run and its jobs have read and written, in recorded order. */
    filesOfRun(runId: string): readonly FileRow[] {
      return sql.all("SELECT * FROM files WHERE run_id = ? ORDER BY id", runId).map(toFileRow);
    },

    /** The job of this run that wrote the file at this location; undefined for a file from outside. */
    writerOf(runId: string, uri: string): string | undefined {
      const row = sql.get(
        "SELECT job_id FROM files WHERE uri = ? AND direction = 'output' AND run_id = ? AND job_id IS NOT NULL LIMIT 1",
        uri,
        runId,
      );
      return row === undefined ? undefined : String(row["job_id"]);
    },
  };
}

/** Newest first, with a total. */
function listFiles(query: FileQuery, sql: Statements): Page<FileRow> {
  const where = filesWhere(query, { isOfOneName: false });
  const total = where.count(sql, "count(*) FROM files");
  const before = decodeToken(query.pageToken, ["number"]);
  if (before !== undefined) where.add("id < ?", Number(before[0]));
  const rows = sql.all(
    `SELECT * FROM files ${where.sql} ORDER BY id DESC LIMIT ?`,
    ...where.values,
    query.pageSize + 1,
  );
  return pageOf(rows, { size: query.pageSize, total, convert: toFileRow, key: (row) => [Number(row["id"])] });
}
