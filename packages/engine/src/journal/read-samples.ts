import { JOB_STATES } from "@weft/shared/records/state-names.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { decodeToken, encodeToken, type Page } from "./page-query.ts";
import type { Statements } from "./statements.ts";

/** The parts of a job of a sample that the indexes contain. */
export interface SampleJob {
  readonly sampleId: string;
  readonly jobId: string;
  readonly state: JobState;
}

export interface SampleQuery {
  readonly pageSize: number;
  readonly pageToken: string | undefined;
}

const NAMED = "run_id = ? AND sample_id IS NOT NULL AND sample_id > ?";

/**
 * Queries about samples, answered by indexes alone: a row of `jobs` with its command line and values costs far more.
 */
export function readSamples(sql: Statements) {
  return {
    /** The jobs of a page of samples; both samples and jobs in the order of their names and starts. */
    sampleJobs(runId: string, { pageSize, pageToken }: SampleQuery): Page<SampleJob, number | null> {
      const [after = ""] = decodeToken(pageToken, ["string"]) ?? [];
      const found = sql.texts(
        `SELECT DISTINCT sample_id FROM jobs WHERE ${NAMED} ORDER BY sample_id LIMIT ?`,
        runId,
        String(after),
        pageSize + 1,
      );
      const last = found.slice(0, pageSize).at(-1);
      return {
        entries: last === undefined ? [] : jobsUpTo(sql, runId, { after: String(after), last }),
        total: pageToken === undefined || pageToken === "" ? countSamples(sql, runId) : null,
        nextPageToken: last !== undefined && found.length > pageSize ? encodeToken([last]) : "",
      };
    },

    /** Facts that the id of a job does not contain. */
    jobPlace(
      runId: string,
      jobId: string,
    ): { readonly step: string; readonly position: number | undefined } | undefined {
      const row = sql.get(
        "SELECT step, scatter_index ->> '$[0]' AS position FROM jobs WHERE run_id = ? AND job_id = ?",
        runId,
        jobId,
      );
      if (row === undefined) return undefined;
      const position = row["position"];
      return { step: String(row["step"]), position: position === null ? undefined : Number(position) };
    },
  };
}

function countSamples(sql: Statements, runId: string): number {
  return sql.number("SELECT count(DISTINCT sample_id) FROM jobs WHERE run_id = ? AND sample_id IS NOT NULL", runId);
}

const OTHER_STATES = JOB_STATES.filter((state) => state !== "COMPLETE");

function jobsUpTo(
  sql: Statements,
  runId: string,
  { after, last }: { readonly after: string; readonly last: string },
): readonly SampleJob[] {
  const marks = OTHER_STATES.map(() => "?").join(",");
  const others = sql.all(`SELECT n, state FROM jobs WHERE run_id = ? AND state IN (${marks})`, runId, ...OTHER_STATES);
  // Only this folder writes the column, and only with states.
  const states = new Map(others.map((row) => [Number(row["n"]), String(row["state"]) as JobState]));
  return sql
    .lists(
      `SELECT sample_id, n, job_id FROM jobs WHERE ${NAMED} AND sample_id <= ? ORDER BY sample_id, n`,
      runId,
      after,
      last,
    )
    .map(([sampleId, n, jobId]) => ({
      sampleId: String(sampleId),
      jobId: String(jobId),
      state: states.get(Number(n)) ?? "COMPLETE",
    }));
}
