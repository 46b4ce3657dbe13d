import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import { CONTAINER_KINDS } from "@weft/shared/records/container-record.ts";
import type { ContainerKind } from "@weft/shared/records/container-record.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import { decodeToken, likeText, Where } from "./page-query.ts";
import { countRows, pageOf } from "./page-rows.ts";
import type { Page } from "./page-rows.ts";
import { toJobRow } from "./rows.ts";
import type { JobRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface JobQuery {
  readonly states?: readonly string[] | undefined;
  readonly step?: string | undefined;
  readonly sample?: string | undefined;
  readonly text?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

export interface KilledJobs {
  readonly jobs: readonly { readonly jobId: string; readonly kill: RecordedKill }[];
  /** All killed jobs, also those beyond the limit. */
  readonly count: number;
}

/** What a call has come to. */
export type CallOfRun = Pick<JobRow, "jobId" | "step" | "scatterIndex" | "sampleId" | "state" | "outputs">;

export interface SampledJob {
  readonly sampleId: string;
  readonly step: string;
  readonly scatterIndex: readonly number[];
}

export type JobReader = ReturnType<typeof readJobs>;

/** Queries about jobs. */
export function readJobs(sql: Statements) {
  return {
    job(runId: string, jobId: string): JobRow | undefined {
      const row = sql.get("SELECT * FROM jobs WHERE run_id = ? AND job_id = ?", runId, jobId);
      return row === undefined ? undefined : toJobRow(row);
    },

    jobByCall(runId: string, callId: string): JobRow | undefined {
      const row = sql.get("SELECT * FROM jobs WHERE run_id = ? AND call_id = ?", runId, callId);
      return row === undefined ? undefined : toJobRow(row);
    },

    /** 0 for a run without jobs. */
    lastJobNumber(runId: string): number {
      return Number(sql.get("SELECT max(n) AS n FROM jobs WHERE run_id = ?", runId)?.["n"] ?? 0);
    },

    /** The container engines that jobs of a run were started with; one that took over a result was not. */
    containerEngines(runId: string): readonly ContainerKind[] {
      const rows = sql.all(
        "SELECT DISTINCT container ->> '$.engine' AS engine FROM jobs WHERE run_id = ? AND container IS NOT NULL AND coalesce(cache ->> '$.decision', '') <> 'hit'",
        runId,
      );
      return CONTAINER_KINDS.filter((kind) => rows.some(({ engine }) => engine === kind));
    },

    /** The backends that jobs of a run were started at. */
    backends(runId: string): readonly BackendKind[] {
      const rows = sql.all("SELECT DISTINCT backend FROM jobs WHERE run_id = ?", runId);
      return BACKEND_KINDS.filter((kind) => rows.some(({ backend }) => backend === kind));
    },

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
      const total = countRows(sql, "jobs", where);
      const after = decodeToken(query.pageToken, ["number"]);
      if (after !== undefined) where.add("n > ?", Number(after[0]));
      const rows = sql.all(`SELECT * FROM jobs ${where.sql} ORDER BY n LIMIT ?`, ...where.values, query.pageSize + 1);
      return pageOf(rows, { size: query.pageSize, total, convert: toJobRow, key: (row) => [Number(row["n"])] });
    },

    /** All of them, in the order in which they were queued. */
    jobsOfRun(runId: string): readonly JobRow[] {
      return sql.all("SELECT * FROM jobs WHERE run_id = ? ORDER BY n", runId).map(toJobRow);
    },

    /** The first calls of a run, in the order in which they were queued. */
    callsOfRun(runId: string, limit: number): readonly CallOfRun[] {
      return sql
        .all(
          "SELECT job_id, step, scatter_index, sample_id, state, outputs FROM jobs WHERE run_id = ? ORDER BY n LIMIT ?",
          runId,
          limit,
        )
        .map(toJobRow);
    },

    /** What the tools of a run are, by path of the step. */
    jobToolsOf(runId: string): ReadonlyMap<string, JobTool> {
      const rows = sql.all("SELECT step, min(tool) AS tool FROM jobs WHERE run_id = ? GROUP BY step", runId);
      return new Map(rows.map(({ step, tool }) => [String(step), JSON.parse(String(tool)) as JobTool])); // written by us
    },

    /** Names of the samples that jobs of a run worked on, in the order of their first job, at most `limit`. */
    samples(runId: string, limit: number): readonly string[] {
      return sql
        .all(
          "SELECT sample_id FROM jobs WHERE run_id = ? AND sample_id IS NOT NULL GROUP BY sample_id ORDER BY min(n) LIMIT ?",
          runId,
          limit,
        )
        .map((row) => String(row["sample_id"]));
    },

    /** The steps and scatter indices of the jobs of some samples. */
    jobsOfSamples(runId: string, sampleIds: readonly string[]): readonly SampledJob[] {
      return sql
        .all(
          `SELECT sample_id, step, scatter_index FROM jobs
           WHERE run_id = ? AND sample_id IN (SELECT value FROM json_each(?)) ORDER BY n`,
          runId,
          JSON.stringify(sampleIds),
        )
        .map((row) => ({
          sampleId: String(row["sample_id"]),
          step: String(row["step"]),
          scatterIndex: JSON.parse(String(row["scatter_index"])) as readonly number[], // written by us
        }));
    },

    /** Jobs under way, in the order in which they were queued. */
    openJobIds(runId: string, limit: number): readonly string[] {
      return sql
        .all(
          // By `n` itself SQLite would walk through all jobs of the run in that order.
          "SELECT job_id FROM jobs WHERE run_id = ? AND state IN ('INITIALIZING','RUNNING','CANCELING') ORDER BY +n LIMIT ?",
          runId,
          limit,
        )
        .map((row) => String(row["job_id"]));
    },

    /** Jobs that were ended with their run while they were under way and have no report of it yet, in the order of their start. */
    stoppedJobs(runId: string): readonly { readonly jobId: string; readonly attempt: number }[] {
      return sql
        .all(
          `SELECT job_id, attempt FROM jobs WHERE run_id = ? AND state IN ('CANCELED','INITIALIZING','RUNNING')
             AND started_ms IS NOT NULL AND kill IS NULL ORDER BY n`,
          runId,
        )
        .map((row) => ({ jobId: String(row["job_id"]), attempt: Number(row["attempt"]) }));
    },

    /** How jobs of a run were ended from then on, at most `limit` of them, and how many there are in all. */
    killedJobs(runId: string, sinceMs: number, limit: number): KilledJobs {
      const killed = "FROM jobs WHERE run_id = ? AND kill IS NOT NULL AND kill ->> '$.asked_ms' >= ?";
      const rows = sql.all(`SELECT job_id, kill ${killed} ORDER BY n LIMIT ?`, runId, sinceMs, limit);
      const count = sql.get(`SELECT count(*) AS count ${killed}`, runId, sinceMs);
      return {
        // A column that this folder alone writes, from values of this type.
        jobs: rows.map((row) => ({
          jobId: String(row["job_id"]),
          kill: JSON.parse(String(row["kill"])) as RecordedKill,
        })),
        count: Number(count?.["count"] ?? 0),
      };
    },

    firstFailedJob(runId: string): JobRow | undefined {
      const row = sql.get(
        "SELECT * FROM jobs WHERE run_id = ? AND state IN ('EXECUTOR_ERROR','SYSTEM_ERROR') ORDER BY ended_ms, n LIMIT 1",
        runId,
      );
      return row === undefined ? undefined : toJobRow(row);
    },
  };
}
