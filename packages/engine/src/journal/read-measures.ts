import { OPEN_RUN } from "./schema.ts";
import { RowReader } from "./row-reader.ts";
import type { Row, Statements } from "./statements.ts";

/** Measures of one ended or running job. Times in milliseconds since 1970. */
export type JobMeasure = Readonly<ReturnType<typeof toMeasure>>;

function toMeasure(row: Row) {
  const columns = new RowReader(row);
  return {
    runId: columns.text("run_id"),
    step: columns.text("step"),
    toolId: columns.textOrNull("tool_id"),
    toolVersion: columns.textOrNull("tool_version"),
    isSuccess: columns.text("state") === "COMPLETE",
    ranOutOfMemory: columns.textOrNull("code") === "OUT_OF_MEMORY",
    startedMs: columns.number("started_ms"),
    endedMs: columns.numberOrNull("ended_ms"),
    cores: columns.numberOrNull("cores"),
    ramBytes: columns.numberOrNull("ram_bytes"),
    isRemote: columns.textOrNull("backend") !== "local",
    cpuMs: columns.numberOrNull("cpu_ms"),
    maxRssBytes: columns.numberOrNull("max_rss_bytes"),
    memorySource: columns.textOrNull("memory_source") as "sampled" | "cgroup" | "slurm" | null, // this folder writes it
  };
}

/** Milliseconds since 1970. */
export interface JobSpan {
  readonly queuedMs: number;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  readonly cores: number;
  readonly ramBytes: number;
}

export interface BackendCount {
  readonly backend: string;
  readonly isRunning: boolean;
  readonly jobs: number;
}

const COLUMNS = `jobs.run_id, jobs.step, jobs.tool ->> '$.id' AS tool_id, jobs.tool ->> '$.version' AS tool_version,
  jobs.state, iif(json_valid(jobs.reason), jobs.reason ->> '$.code', NULL) AS code, jobs.started_ms, jobs.ended_ms, jobs.cores, jobs.ram_bytes, jobs.backend,
  jobs.cpu_ms, jobs.max_rss_bytes, jobs.memory_source`;

/** Jobs that really ran and ended. */
const MEASURED = `jobs.state IN ('COMPLETE','EXECUTOR_ERROR') AND jobs.started_ms IS NOT NULL
  AND coalesce(iif(json_valid(jobs.cache), jobs.cache ->> '$.decision', NULL), '') <> 'hit'`;

/** Number of runs searched for those of one owner. */
const MAX_RUNS = 200;

export interface EarlierRuns {
  readonly kind: "network" | "tool";
  readonly processId: string;
  readonly before: string;
  /** Limits the result to this owner's runs. */
  readonly owner: string | undefined;
  readonly limit: number;
}

/** Queries about resource usage of jobs. Each has bounded cost, whatever the log contains. */
export function readMeasures(sql: Statements) {
  return {
    /** Ids of ended runs of a process that ran on this server, newest first. */
    earlierRuns({ kind, processId, before, owner, limit }: EarlierRuns): readonly string[] {
      const newest = `SELECT run_id, owner FROM runs WHERE kind = ? AND process_id = ? AND run_id < ?
        AND ended_ms IS NOT NULL AND imported IS NULL ORDER BY run_id DESC LIMIT ${MAX_RUNS}`;
      const own = `SELECT run_id FROM (${newest}) WHERE owner = coalesce(?, owner) LIMIT ?`;
      return sql.texts(own, kind, processId, before, owner ?? null, limit);
    },

    /** Ended jobs of a run; for a larger run, about `most` jobs spread evenly over it. */
    measuresOfRun(runId: string, most: number): readonly JobMeasure[] {
      const last = sql.number("SELECT max(n) FROM jobs WHERE run_id = ?", runId);
      if (last <= most)
        return sql.all(`SELECT ${COLUMNS} FROM jobs WHERE run_id = ? AND ${MEASURED}`, runId).map(toMeasure);
      const selected = `SELECT ${COLUMNS} FROM json_each(?) AS selected CROSS JOIN jobs INDEXED BY jobs_in_order
        WHERE jobs.run_id = ? AND jobs.n = selected.value AND ${MEASURED}`;
      return sql.all(selected, JSON.stringify(evenly(last, most)), runId).map(toMeasure);
    },

    /** Running jobs, at most `limit`. */
    runningMeasures(runId: string, limit: number): readonly JobMeasure[] {
      const running = `SELECT ${COLUMNS} FROM jobs
        WHERE run_id = ? AND state = 'RUNNING' AND started_ms IS NOT NULL ORDER BY n LIMIT ?`;
      return sql.all(running, runId, limit).map(toMeasure);
    },

    /** Waiting and run times of at most `limit` jobs of the latest runs since a time. */
    jobSpans: (sinceMs: number, limit: number): readonly JobSpan[] => jobSpans(sql, sinceMs, limit),

    /** The number of jobs of open runs at each backend. */
    jobsAtBackends(): readonly BackendCount[] {
      return sql
        .all(
          `SELECT coalesce(backend, 'local') AS backend, state, count(*) AS n FROM jobs
             WHERE run_id IN (SELECT run_id FROM runs WHERE ${OPEN_RUN}) AND state IN ('INITIALIZING','RUNNING')
             GROUP BY 1, 2`,
        )
        .map((row) => ({
          backend: String(row["backend"]),
          isRunning: row["state"] === "RUNNING",
          jobs: Number(row["n"]),
        }));
    },

    /** Ended jobs of one version of a tool among its latest `limit` jobs. `owner`: only of this owner's runs. */
    measuresOfTool(id: string, version: string, owner: string | undefined, limit: number): readonly JobMeasure[] {
      const latest = `SELECT run_id, job_id FROM jobs WHERE tool ->> '$.id' = ? AND tool ->> '$.version' = ?
        ORDER BY run_id DESC, job_id DESC LIMIT ?`;
      const measured = `SELECT ${COLUMNS} FROM (${latest}) AS latest JOIN jobs USING (run_id, job_id) JOIN runs USING (run_id)
        WHERE ${MEASURED} AND runs.imported IS NULL AND runs.owner = coalesce(?, runs.owner) ORDER BY jobs.run_id DESC`;
      return sql.all(measured, id, version, limit, owner ?? null).map(toMeasure);
    },
  };
}

function jobSpans(sql: Statements, sinceMs: number, limit: number): readonly JobSpan[] {
  const runs = sql.texts(
    "SELECT run_id FROM runs WHERE (ended_ms >= ? OR ended_ms IS NULL) AND imported IS NULL ORDER BY run_id DESC LIMIT ?",
    sinceMs,
    limit,
  );
  const spans: JobSpan[] = [];
  const ofRun = `SELECT queued_ms AS queuedMs, started_ms AS startedMs, ended_ms AS endedMs, coalesce(cores, 0) AS cores,
      coalesce(ram_bytes, 0) AS ramBytes
    FROM jobs WHERE run_id = ? AND (ended_ms IS NULL OR ended_ms >= ?)
      AND coalesce(iif(json_valid(cache), cache ->> '$.decision', NULL), '') <> 'hit' LIMIT ?`;
  for (const runId of runs) {
    if (spans.length >= limit) break;
    spans.push(...sql.records<JobSpan>(ofRun, runId, sinceMs, limit - spans.length));
  }
  return spans;
}

/** `most` numbers from 1 to `last`. */
function evenly(last: number, most: number): readonly number[] {
  return Array.from({ length: most }, (_, index) => 1 + Math.floor((index * last) / most));
}
