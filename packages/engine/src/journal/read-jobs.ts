import { BACKEND_KINDS, type BackendKind } from "@weft/shared/records/backend-kind.ts";
import { CONTAINER_KINDS, type ContainerKind } from "@weft/shared/records/container-record.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import { decodeToken, pageOf, Where, type Page } from "./page-query.ts";
import { RowReader } from "./row-reader.ts";
import { jobRowReader, type JobRow } from "./rows.ts";
import type { Row, Statements } from "./statements.ts";

/** A query that indexes answer. `JobTableQuery` can do more, but reads all jobs of a run. */
export interface JobQuery {
  readonly states?: readonly string[] | undefined;
  readonly sample?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

export interface KilledJobs {
  readonly jobs: readonly { readonly jobId: string; readonly kill: RecordedKill }[];
  /** All killed jobs, also those beyond the limit. */
  readonly count: number;
}

/** The state and outputs of a call. */
export type CallOfRun = Pick<JobRow, "n" | "jobId" | "step" | "scatterIndex" | "sampleId" | "state" | "outputs">;

interface ContainerOfTool {
  readonly tool: string | null;
  readonly toolVersion: string | null;
  readonly engine: string;
  readonly image: string;
  readonly digest: string | null;
}

interface AttemptOfJob {
  readonly jobId: string;
  readonly attempt: number;
}

export interface SampledJob {
  readonly sampleId: string;
  readonly step: string;
  readonly scatterIndex: readonly number[];
}

/** Smaller than the number of any job: those of imported runs begin with 0. */
export const BEFORE_FIRST = -1;

/** Queries about jobs. */
export function readJobs(sql: Statements) {
  const jobOf = jobRowReader(sql);
  return {
    job(runId: string, jobId: string): JobRow | undefined {
      return sql.find(jobOf, "SELECT * FROM jobs WHERE run_id = ? AND job_id = ?", runId, jobId);
    },

    jobByCall(runId: string, callId: string): JobRow | undefined {
      return sql.find(jobOf, "SELECT * FROM jobs WHERE run_id = ? AND call_id = ?", runId, callId);
    },

    /** 0 for a run without jobs. */
    lastJobNumber(runId: string): number {
      return sql.number("SELECT max(n) FROM jobs WHERE run_id = ?", runId);
    },

    /** The container engines with which jobs of a run were started; jobs that reused a result are not included. */
    containerEngines(runId: string): readonly ContainerKind[] {
      const engines = sql.texts(
        "SELECT DISTINCT container ->> '$.engine' FROM jobs WHERE run_id = ? AND container IS NOT NULL AND coalesce(cache ->> '$.decision', '') <> 'hit'",
        runId,
      );
      return CONTAINER_KINDS.filter((kind) => engines.includes(kind));
    },

    /** The images in which tools of a run ran, each once; those of reused results too. */
    containersOfTools(runId: string) {
      return sql.records<ContainerOfTool>(
        `SELECT DISTINCT tool ->> '$.id' AS tool, tool ->> '$.version' AS toolVersion, container ->> '$.engine' AS engine,
           container ->> '$.image' AS image, container ->> '$.digest' AS digest
         FROM jobs WHERE run_id = ? AND container ->> '$.engine' <> 'none' ORDER BY 1, 2, 4, 5 LIMIT 100`,
        runId,
      );
    },

    /** The backends on which jobs of a run were started. */
    backends(runId: string): readonly BackendKind[] {
      const backends = sql.texts("SELECT DISTINCT backend FROM jobs WHERE run_id = ?", runId);
      return BACKEND_KINDS.filter((kind) => backends.includes(kind));
    },

    /** The jobs in queue order. */
    jobs(runId: string, { states = [], sample, pageSize, pageToken }: JobQuery): Page<JobRow> {
      const where = () => {
        const ofRun = new Where().add("run_id = ?", runId);
        return sample === undefined ? ofRun : ofRun.add("sample_id = ?", sample);
      };
      const [after = BEFORE_FIRST] = decodeToken(pageToken, ["number"]) ?? [];
      // Indexes hold the first jobs of each state. Ordering jobs of several states would read all jobs of the run.
      const each = (states.length === 0 ? [[]] : states.map((state) => [state])).map((state) =>
        where().addAny("state", state).add("n > ?", after),
      );
      const numbers = each.map(
        ({ sql: ofState }) => `SELECT * FROM (SELECT n FROM jobs ${ofState} ORDER BY n LIMIT ?)`,
      );
      const rows = sql.all(
        `SELECT * FROM jobs WHERE run_id = ? AND n IN (${numbers.join(" UNION ALL ")}) ORDER BY n LIMIT ?`,
        ...[runId, ...each.flatMap(({ values }) => [...values, pageSize + 1]), pageSize + 1],
      );
      const total = where().addAny("state", states).count(sql, "count(*) FROM jobs");
      return pageOf(rows, { size: pageSize, total, convert: jobOf, key: (row) => [Number(row["n"])] });
    },

    /** Jobs by their numbers, in that order; unknown numbers are left out. */
    jobsByNumber(runId: string, numbers: readonly number[]): readonly JobRow[] {
      const wanted =
        "SELECT jobs.* FROM json_each(?) AS wanted CROSS JOIN jobs WHERE run_id = ? AND n = wanted.value ORDER BY wanted.key";
      return sql.all(wanted, JSON.stringify(numbers), runId).map(jobOf);
    },

    /** All of them, in queue order. */
    jobsOfRun(runId: string): readonly JobRow[] {
      return sql.all("SELECT * FROM jobs WHERE run_id = ? ORDER BY n", runId).map(jobOf);
    },

    /** The calls of a run whose numbers follow `after`, in queue order. */
    callsOfRun(runId: string, after: number, limit: number): readonly CallOfRun[] {
      const calls =
        "SELECT n, job_id, step, scatter_index, sample_id, state, outputs FROM jobs WHERE run_id = ? AND n > ? ORDER BY n LIMIT ?";
      return sql.all(calls, runId, after, limit).map(callOf);
    },

    /** The tools of a run, by step path. */
    jobToolsOf(runId: string): ReadonlyMap<string, JobTool> {
      const rows = sql.all("SELECT step, min(tool) AS tool FROM jobs WHERE run_id = ? GROUP BY step", runId);
      return new Map(rows.map(({ step, tool }) => [String(step), JSON.parse(String(tool)) as JobTool])); // Weft wrote it
    },

    /** Names of samples with jobs in a run, in the order of their first job, at most `limit`. */
    samples(runId: string, limit: number): readonly string[] {
      return sql.texts(
        "SELECT sample_id FROM jobs WHERE run_id = ? AND sample_id IS NOT NULL GROUP BY sample_id ORDER BY min(n) LIMIT ?",
        runId,
        limit,
      );
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
          scatterIndex: JSON.parse(String(row["scatter_index"])) as readonly number[], // Weft wrote it
        }));
    },

    /** The samples of the elements of a scattered step of the outermost network, by position on its first axis. */
    elementSamples(runId: string, step: string): ReadonlyMap<number, string> {
      const rows = sql.all(
        `SELECT scatter_index ->> '$[0]' AS position, max(sample_id) AS sample_id FROM jobs
         WHERE run_id = ? AND sample_id IS NOT NULL AND (step = ? OR substr(step, 1, ?) = ?)
         GROUP BY scatter_index ->> '$[0]'`,
        runId,
        step,
        step.length + 1,
        `${step}/`,
      );
      return new Map(
        rows.flatMap((row) => (row["position"] === null ? [] : [[Number(row["position"]), String(row["sample_id"])]])),
      );
    },

    /** Jobs in progress, in queue order. */
    openJobIds(runId: string, limit: number): readonly string[] {
      return sql.texts(
        // Ordering by `n` alone would make SQLite walk through all jobs of the run.
        "SELECT job_id FROM jobs WHERE run_id = ? AND state IN ('INITIALIZING','RUNNING','CANCELING') ORDER BY +n LIMIT ?",
        runId,
        limit,
      );
    },

    /** Jobs that were running when their run was ended, and have no kill report yet, in the order of their start. */
    stoppedJobs(runId: string): readonly AttemptOfJob[] {
      return sql.records(
        `SELECT job_id AS jobId, attempt FROM jobs WHERE run_id = ? AND state IN ('CANCELED','INITIALIZING','RUNNING')
           AND started_ms IS NOT NULL AND kill IS NULL ORDER BY n`,
        runId,
      );
    },

    /**
     * Attempts whose wrappers may start late, of a run that is being ended: those that have started, and those that were
     * ready and may have been handed over when a server was killed. Only jobs with these numbers: a run may have very many.
     */
    lateAttempts(runId: string, { from, to }: { readonly from: number; readonly to: number }): readonly AttemptOfJob[] {
      return sql.records(
        `SELECT job_id AS jobId, attempt FROM jobs INDEXED BY jobs_in_order WHERE run_id = ? AND n BETWEEN ? AND ?
           AND +state IN ('QUEUED','INITIALIZING','RUNNING') AND (started_ms IS NOT NULL OR phase = 'prepared') ORDER BY n`,
        runId,
        from,
        to,
      );
    },

    /** How jobs of a run were ended, from this point on, at most `limit`, with a total. */
    killedJobs(runId: string, sinceMs: number, limit: number): KilledJobs {
      const killed = "FROM jobs WHERE run_id = ? AND kill IS NOT NULL AND kill ->> '$.asked_ms' >= ?";
      const rows = sql.all(`SELECT job_id, kill ${killed} ORDER BY n LIMIT ?`, runId, sinceMs, limit);
      return {
        // A column written only by this folder, from values of this type.
        jobs: rows.map((row) => ({
          jobId: String(row["job_id"]),
          kill: JSON.parse(String(row["kill"])) as RecordedKill,
        })),
        count: sql.number(`SELECT count(*) ${killed}`, runId, sinceMs),
      };
    },

    firstFailedJob(runId: string): JobRow | undefined {
      const failed =
        "SELECT * FROM jobs WHERE run_id = ? AND state IN ('EXECUTOR_ERROR','SYSTEM_ERROR') ORDER BY ended_ms, n LIMIT 1";
      return sql.find(jobOf, failed, runId);
    },
  };
}

function callOf(row: Row): CallOfRun {
  const columns = new RowReader(row);
  return {
    n: columns.number("n"),
    jobId: columns.text("job_id"),
    step: columns.text("step"),
    scatterIndex: columns.json<readonly number[]>("scatter_index", []),
    sampleId: columns.textOrNull("sample_id"),
    state: columns.text("state") as JobState,
    outputs: columns.textOrNull("outputs"),
  };
}
