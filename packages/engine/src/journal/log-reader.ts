import type { DatabaseSync } from "node:sqlite";
import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import { decodeToken, encodeToken, likeText, Where } from "./page-query.ts";
import { toFileRow, toJobRow, toRunRow, toStepRow } from "./rows.ts";
import type { FileRow, JobRow, RunRow, StepRow } from "./rows.ts";
import type { Row } from "./statements.ts";
import { Statements } from "./statements.ts";

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly nextPageToken: string;
}

export interface RunQuery {
  readonly states?: readonly string[] | undefined;
  readonly kind?: "network" | "tool" | undefined;
  readonly processId?: string | undefined;
  readonly tag?: string | undefined;
  readonly owner?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly text?: string | undefined;
  readonly ascending: boolean;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

export interface JobQuery {
  readonly states?: readonly string[] | undefined;
  readonly step?: string | undefined;
  readonly sample?: string | undefined;
  readonly text?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

export interface FileQuery {
  readonly runId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly scope?: "run" | "job" | undefined;
  readonly direction?: "input" | "output" | undefined;
  readonly text?: string | undefined;
  readonly checksum?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

/** Reads the projections and the log; sees every commit that was acknowledged before the call. */
export class LogReader {
  readonly #sql: Statements;

  constructor(db: DatabaseSync) {
    this.#sql = new Statements(db);
  }

  lastSeq(): number {
    return Number(this.#sql.get("SELECT max(seq) AS seq FROM events")?.["seq"] ?? 0);
  }

  blob(digest: string): string {
    const row = this.#sql.get("SELECT text FROM blobs WHERE digest = ?", digest);
    if (row === undefined) throw new Error(`the log has no blob ${digest}`);
    return String(row["text"]);
  }

  run(runId: string): RunRow | undefined {
    const row = this.#sql.get("SELECT * FROM runs WHERE run_id = ?", runId);
    return row === undefined ? undefined : toRunRow(row);
  }

  /** Newest first unless `ascending`; ids sort by creation. */
  runs(query: RunQuery): Page<RunRow> {
    const where = runConditions(query);
    const total = this.#count("runs", where);
    const after = decodeToken(query.pageToken, ["string"]);
    if (after !== undefined) where.add(`run_id ${query.ascending ? ">" : "<"} ?`, String(after[0]));
    const order = query.ascending ? "ASC" : "DESC";
    const rows = this.#sql.all(
      `SELECT * FROM runs ${where.sql} ORDER BY run_id ${order} LIMIT ?`,
      ...where.values,
      query.pageSize + 1,
    );
    return page(rows, { size: query.pageSize, total, convert: toRunRow, key: (row) => [String(row["run_id"])] });
  }

  openRuns(): readonly RunRow[] {
    return this.#sql
      .all("SELECT * FROM runs WHERE state IN ('QUEUED','INITIALIZING','RUNNING','PAUSED','CANCELING') ORDER BY run_id")
      .map(toRunRow);
  }

  runByKey(principal: string, key: string): { readonly runId: string; readonly bodyDigest: string } | undefined {
    const row = this.#sql.get(
      "SELECT run_id, body_digest FROM idempotency WHERE principal = ? AND key = ?",
      principal,
      key,
    );
    return row === undefined ? undefined : { runId: String(row["run_id"]), bodyDigest: String(row["body_digest"]) };
  }

  steps(runId: string): readonly StepRow[] {
    return this.#sql.all("SELECT * FROM steps WHERE run_id = ? ORDER BY position", runId).map(toStepRow);
  }

  /** Sums over the steps of a run: constant-size answers need no list. */
  stepTotals(runId: string): { readonly jobsTotal: number; readonly isFinal: boolean } {
    const row = this.#sql.get(
      "SELECT sum(jobs_total) AS total, min(jobs_total_is_final) AS final FROM steps WHERE run_id = ?",
      runId,
    );
    return { jobsTotal: Number(row?.["total"] ?? 0), isFinal: row?.["final"] !== 0 };
  }

  job(runId: string, jobId: string): JobRow | undefined {
    const row = this.#sql.get("SELECT * FROM jobs WHERE run_id = ? AND job_id = ?", runId, jobId);
    return row === undefined ? undefined : toJobRow(row);
  }

  jobByCall(runId: string, callId: string): JobRow | undefined {
    const row = this.#sql.get("SELECT * FROM jobs WHERE run_id = ? AND call_id = ?", runId, callId);
    return row === undefined ? undefined : toJobRow(row);
  }

  /** In the order in which they were queued. */
  jobs(runId: string, query: JobQuery): Page<JobRow> {
    const where = new Where().add("run_id = ?", runId).addAny("state", query.states);
    if (query.step !== undefined) where.add("step = ?", query.step);
    if (query.sample !== undefined) where.add("sample_id = ?", query.sample);
    if (query.text !== undefined) {
      const text = likeText(query.text);
      where.add(
        "job_id LIKE ? ESCAPE '\\' OR step LIKE ? ESCAPE '\\' OR sample_id LIKE ? ESCAPE '\\'",
        text,
        text,
        text,
      );
    }
    const total = this.#count("jobs", where);
    const after = decodeToken(query.pageToken, ["number"]);
    if (after !== undefined) where.add("n > ?", Number(after[0]));
    const rows = this.#sql.all(
      `SELECT * FROM jobs ${where.sql} ORDER BY n LIMIT ?`,
      ...where.values,
      query.pageSize + 1,
    );
    return page(rows, { size: query.pageSize, total, convert: toJobRow, key: (row) => [Number(row["n"])] });
  }

  /** Names of the samples that jobs of a run worked on, in the order of their first job, at most `limit`. */
  samples(runId: string, limit: number): readonly string[] {
    return this.#sql
      .all(
        "SELECT sample_id FROM jobs WHERE run_id = ? AND sample_id IS NOT NULL GROUP BY sample_id ORDER BY min(n) LIMIT ?",
        runId,
        limit,
      )
      .map((row) => String(row["sample_id"]));
  }

  openJobIds(runId: string, limit: number): readonly string[] {
    return this.#sql
      .all(
        "SELECT job_id FROM jobs WHERE run_id = ? AND state IN ('INITIALIZING','RUNNING','CANCELING') ORDER BY n LIMIT ?",
        runId,
        limit,
      )
      .map((row) => String(row["job_id"]));
  }

  firstFailedJob(runId: string): JobRow | undefined {
    const row = this.#sql.get(
      "SELECT * FROM jobs WHERE run_id = ? AND state IN ('EXECUTOR_ERROR','SYSTEM_ERROR') ORDER BY ended_ms, n LIMIT 1",
      runId,
    );
    return row === undefined ? undefined : toJobRow(row);
  }

  /** Events after `since`, oldest first, at most `limit`. */
  events(query: {
    readonly runId?: string | undefined;
    readonly since: number;
    readonly limit: number;
  }): readonly WeftEvent[] {
    const where = new Where().add("seq > ?", query.since);
    if (query.runId !== undefined) where.add("run_id = ?", query.runId);
    return this.#sql
      .all(`SELECT * FROM events ${where.sql} ORDER BY seq LIMIT ?`, ...where.values, query.limit)
      .map(toEvent);
  }

  /** Occurrences of files, newest first. */
  files(query: FileQuery): Page<FileRow> {
    const where = new Where();
    if (query.runId !== undefined) where.add("run_id = ?", query.runId);
    if (query.jobId !== undefined) where.add("job_id = ?", query.jobId);
    if (query.scope !== undefined) where.add(query.scope === "run" ? "job_id IS NULL" : "job_id IS NOT NULL");
    if (query.direction !== undefined) where.add("direction = ?", query.direction);
    if (query.text !== undefined) where.add("name LIKE ? ESCAPE '\\'", likeText(query.text));
    if (query.checksum !== undefined) where.add("checksum = ?", query.checksum);
    const total = this.#count("files", where);
    const before = decodeToken(query.pageToken, ["number"]);
    if (before !== undefined) where.add("id < ?", Number(before[0]));
    const rows = this.#sql.all(
      `SELECT *, ${CHECKSUM} FROM files ${where.sql} ORDER BY id DESC LIMIT ?`,
      ...where.values,
      query.pageSize + 1,
    );
    return page(rows, { size: query.pageSize, total, convert: toFileRow, key: (row) => [Number(row["id"])] });
  }

  /** The job of this run that wrote the file at this address; undefined for a file from outside. */
  writerOf(runId: string, uri: string): string | undefined {
    const row = this.#sql.get(
      "SELECT job_id FROM files WHERE uri = ? AND direction = 'output' AND run_id = ? AND job_id IS NOT NULL LIMIT 1",
      uri,
      runId,
    );
    return row === undefined ? undefined : String(row["job_id"]);
  }

  stateCounts(): Readonly<Record<string, number>> {
    const rows = this.#sql.all("SELECT state, count(*) AS n FROM runs GROUP BY state");
    return Object.fromEntries(rows.map((row) => [String(row["state"]), Number(row["n"])]));
  }

  outcomesSince(sinceMs: number): Readonly<Record<string, number>> {
    const rows = this.#sql.all(
      "SELECT outcome, count(*) AS n FROM runs WHERE created_ms >= ? AND outcome IS NOT NULL GROUP BY outcome",
      sinceMs,
    );
    return Object.fromEntries(rows.map((row) => [String(row["outcome"]), Number(row["n"])]));
  }

  /** Number of runs, the newest start and the median duration of the last 101 successful runs of a process. */
  processStats(
    kind: "network" | "tool",
    id: string,
  ): { readonly runs: number; readonly lastMs: number | null; readonly medianMs: number | null } {
    const row = this.#sql.get(
      "SELECT count(*) AS n, max(created_ms) AS last FROM runs WHERE kind = ? AND process_id = ?",
      kind,
      id,
    );
    const durations = this.#sql
      .all(
        "SELECT ended_ms - started_ms AS ms FROM runs WHERE kind = ? AND process_id = ? AND outcome = 'success' ORDER BY run_id DESC LIMIT 101",
        kind,
        id,
      )
      .map((duration) => Number(duration["ms"]))
      .sort((a, b) => a - b);
    return {
      runs: Number(row?.["n"] ?? 0),
      lastMs: (row?.["last"] ?? null) as number | null,
      medianMs: durations[durations.length >> 1] ?? null,
    };
  }

  #count(table: string, where: Where): number {
    return Number(this.#sql.get(`SELECT count(*) AS n FROM ${table} ${where.sql}`, ...where.values)?.["n"] ?? 0);
  }
}

function runConditions(query: RunQuery): Where {
  const where = new Where().addAny("state", query.states);
  if (query.kind !== undefined) where.add("kind = ?", query.kind);
  if (query.processId !== undefined) where.add("process_id = ?", query.processId);
  if (query.owner !== undefined) where.add("owner = ?", query.owner);
  if (query.sinceMs !== undefined) where.add("created_ms >= ?", query.sinceMs);
  if (query.untilMs !== undefined) where.add("created_ms < ?", query.untilMs);
  if (query.tag !== undefined) {
    const [key = "", ...value] = query.tag.split(":");
    if (value.length === 0) where.add("EXISTS (SELECT 1 FROM json_each(tags) WHERE key = ?)", key);
    else where.add("EXISTS (SELECT 1 FROM json_each(tags) WHERE key = ? AND value = ?)", key, value.join(":"));
  }
  if (query.text !== undefined) {
    const text = likeText(query.text);
    where.add(
      "name LIKE ? ESCAPE '\\' OR run_id LIKE ? ESCAPE '\\' OR process_id LIKE ? ESCAPE '\\'",
      text,
      text,
      text,
    );
  }
  return where;
}

/** A job's input from outside is hashed once, with the inputs of its run. */
const CHECKSUM = `COALESCE(checksum, (SELECT same.checksum FROM files AS same
  WHERE same.uri = files.uri AND same.run_id = files.run_id AND same.checksum IS NOT NULL LIMIT 1)) AS checksum`;

interface PageShape<Entry> {
  readonly size: number;
  readonly total: number;
  readonly convert: (row: Row) => Entry;
  readonly key: (row: Row) => readonly (string | number)[];
}

/** `rows` holds one more than the page when there is a next one. */
function page<Entry>(rows: readonly Row[], shape: PageShape<Entry>): Page<Entry> {
  const shown = rows.slice(0, shape.size);
  const last = shown.at(-1);
  const nextPageToken = rows.length > shape.size && last !== undefined ? encodeToken(shape.key(last)) : "";
  return { entries: shown.map(shape.convert), total: shape.total, nextPageToken };
}

function toEvent(row: Row): WeftEvent {
  return {
    seq: Number(row["seq"]),
    type: row["type"] as WeftEvent["type"], // written by `append` alone
    time: new Date(Number(row["time_ms"])).toISOString(),
    run_id: row["run_id"] as string | null,
    ...(row["job_id"] === null ? {} : { job_id: String(row["job_id"]) }),
    ...(row["step"] === null ? {} : { step: String(row["step"]) }),
    ...(row["sample_id"] === null ? {} : { sample_id: String(row["sample_id"]) }),
    actor: String(row["actor"]),
    data: JSON.parse(String(row["data"])) as WeftEvent["data"],
  };
}
