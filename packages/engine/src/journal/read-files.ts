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
  /** `sha1$…`. */
  readonly checksum?: string | undefined;
  /** Hexadecimal digits. */
  readonly sha256?: string | undefined;
  readonly tool?: string | undefined;
  readonly toolVersion?: string | undefined;
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
      if (query.sha256 !== undefined) where.add("sha256 = ?", query.sha256);
      if (query.tool !== undefined) addTool(where, { ...query, tool: query.tool });
      const total = countRows(sql, "files", where);
      const before = decodeToken(query.pageToken, ["number"]);
      if (before !== undefined) where.add("id < ?", Number(before[0]));
      const rows = sql.all(
        `SELECT * FROM files ${where.sql} ORDER BY id DESC LIMIT ?`,
        ...where.values,
        query.pageSize + 1,
      );
      return pageOf(rows, { size: query.pageSize, total, convert: toFileRow, key: (row) => [Number(row["id"])] });
    },

    /** Everything that a run and its jobs have read and written, in the order in which it was recorded. */
    filesOfRun(runId: string): readonly FileRow[] {
      return sql.all("SELECT * FROM files WHERE run_id = ? ORDER BY id", runId).map(toFileRow);
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

/** Of a run or a content the few files are looked at one by one: the tool may have had jobs in any number of other runs. */
function addTool(
  where: Where,
  { tool, toolVersion, runId, checksum, sha256 }: FileQuery & { readonly tool: string },
): void {
  const isNarrow = [runId, checksum, sha256].some((given) => given !== undefined);
  const version = toolVersion === undefined ? "" : " AND tool ->> '$.version' = ?";
  const values = toolVersion === undefined ? [tool] : [tool, toolVersion];
  const ofTool = `FROM jobs WHERE tool ->> '$.id' = ?${version}`;
  if (isNarrow)
    where.add(`EXISTS (SELECT 1 ${ofTool} AND jobs.run_id = files.run_id AND jobs.job_id = files.job_id)`, ...values);
  else where.add(`(run_id, job_id) IN (SELECT run_id, job_id ${ofTool})`, ...values);
}
