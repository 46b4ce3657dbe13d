import { namePattern } from "./find-names.ts";
import { Where } from "./page-query.ts";

export interface FileQuery {
  readonly runId?: string | undefined;
  readonly jobId?: string | undefined;
  /** Path of a step; with a run only, like the next two. */
  readonly step?: string | undefined;
  /** The sample's own jobs, and those that all samples share. */
  readonly sampleId?: string | undefined;
  readonly port?: string | undefined;
  /** Limits the result to files of this owner's runs. */
  readonly visibleOwner?: string | undefined;
  readonly scope?: "run" | "job" | undefined;
  readonly direction?: "input" | "output" | undefined;
  /** Part of the name; with fewer than three letters, its beginning. */
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

/** A run or a content has few files, so they can be checked one by one. */
export function isNarrow({ runId, checksum, sha256 }: FileQuery): boolean {
  return [runId, checksum, sha256].some((value) => value !== undefined);
}

/** The conditions of a query. `isOfOneName`: the name is already fixed, and one name has few files per run. */
export function filesWhere(query: FileQuery, { isOfOneName }: { readonly isOfOneName: boolean }): Where {
  const where = new Where();
  const { runId, jobId, scope, direction, text, checksum, sha256, tool } = query;
  if (runId !== undefined) where.add("run_id = ?", runId);
  if (query.visibleOwner !== undefined)
    where.add("EXISTS (SELECT 1 FROM runs WHERE runs.run_id = files.run_id AND owner = ?)", query.visibleOwner);
  if (jobId !== undefined) where.add("job_id = ?", jobId);
  if (query.step !== undefined) where.add("step = ?", query.step);
  if (query.sampleId !== undefined) where.add("sample_id = ? OR sample_id IS NULL", query.sampleId);
  if (query.port !== undefined) where.add("port = ?", query.port);
  if (scope !== undefined) where.add(scope === "run" ? "job_id IS NULL" : "job_id IS NOT NULL");
  if (direction !== undefined) where.add("direction = ?", direction);
  if (text !== undefined && !isOfOneName) where.add("name LIKE ? ESCAPE '\\'", namePattern(text));
  if (checksum !== undefined) where.add("checksum = ?", checksum);
  if (sha256 !== undefined) where.add("sha256 = ?", sha256);
  if (tool !== undefined) addTool(where, { ...query, tool }, isOfOneName || isNarrow(query));
  return where;
}

/** A run, a content or a name has few files, which are checked one by one: the tool may have had jobs in any number of runs. */
function addTool(where: Where, { tool, toolVersion }: FileQuery & { readonly tool: string }, areFew: boolean): void {
  const version = toolVersion === undefined ? "" : " AND tool ->> '$.version' = ?";
  const values = toolVersion === undefined ? [tool] : [tool, toolVersion];
  const ofTool = `FROM jobs WHERE tool ->> '$.id' = ?${version}`;
  if (areFew)
    where.add(`EXISTS (SELECT 1 ${ofTool} AND jobs.run_id = files.run_id AND jobs.job_id = files.job_id)`, ...values);
  else where.add(`(run_id, job_id) IN (SELECT run_id, job_id ${ofTool})`, ...values);
}
