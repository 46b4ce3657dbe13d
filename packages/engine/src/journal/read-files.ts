import { decodeToken, likeText, Where } from "./page-query.ts";
import { countRows, pageOf } from "./page-rows.ts";
import type { Page } from "./page-rows.ts";
import { toFileRow } from "./rows.ts";
import type { FileRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface FileQuery {
  readonly runId?: string | undefined;
  readonly jobId?: string | undefined;
  /** Only files of runs of this owner. */
  readonly visibleOwner?: string | undefined;
  readonly scope?: "run" | "job" | undefined;
  readonly direction?: "input" | "output" | undefined;
  readonly text?: string | undefined;
  readonly checksum?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

export type FileReader = ReturnType<typeof readFiles>;

/** Queries about files that were read or written. */
export function readFiles(sql: Statements) {
  return {
    /** Occurrences of files, newest first. */
    files(query: FileQuery): Page<FileRow> {
      const where = new Where();
      if (query.runId !== undefined) where.add("run_id = ?", query.runId);
      if (query.visibleOwner !== undefined)
        where.add("run_id IN (SELECT run_id FROM runs WHERE owner = ?)", query.visibleOwner);
      if (query.jobId !== undefined) where.add("job_id = ?", query.jobId);
      if (query.scope !== undefined) where.add(query.scope === "run" ? "job_id IS NULL" : "job_id IS NOT NULL");
      if (query.direction !== undefined) where.add("direction = ?", query.direction);
      if (query.text !== undefined) where.add("name LIKE ? ESCAPE '\\'", likeText(query.text));
      if (query.checksum !== undefined) where.add("checksum = ?", query.checksum);
      const total = countRows(sql, "files", where);
      const before = decodeToken(query.pageToken, ["number"]);
      if (before !== undefined) where.add("id < ?", Number(before[0]));
      const rows = sql.all(
        `SELECT *, ${CHECKSUM} FROM files ${where.sql} ORDER BY id DESC LIMIT ?`,
        ...where.values,
        query.pageSize + 1,
      );
      return pageOf(rows, { size: query.pageSize, total, convert: toFileRow, key: (row) => [Number(row["id"])] });
    },

    /** The job of this run that wrote the file at this address; undefined for a file from outside. */
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

/** A job's input from outside is hashed once, with the inputs of its run. */
const CHECKSUM = `COALESCE(checksum, (SELECT same.checksum FROM files AS same
  WHERE same.uri = files.uri AND same.run_id = files.run_id AND same.checksum IS NOT NULL LIMIT 1)) AS checksum`;
