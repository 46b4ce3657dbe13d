import { JOB_STATES } from "@weft/shared/records/state-names.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { decodeToken, encodeToken } from "./page-query.ts";
import type { Page } from "./page-rows.ts";
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

/** Jobs read for one page; a sample with more of them is a page by itself. */
const MAX_JOBS = 10_000;

const NAMED = "run_id = ? AND sample_id IS NOT NULL AND sample_id > ?";

/**
 * Queries about samples, answered by indexes alone: a row of `jobs` with its command line and values costs far more.
 */
export function readSamples(sql: Statements) {
  return {
    /** The jobs of a page of samples; both samples and jobs in the order of their names and starts. */
    sampleJobs(runId: string, { pageSize, pageToken }: SampleQuery): Page<SampleJob, number | null> {
      const [after = ""] = decodeToken(pageToken, ["string"]) ?? [];
      const found = sql.all(
        `SELECT sample_id, count(*) AS jobs FROM jobs WHERE ${NAMED} GROUP BY sample_id ORDER BY sample_id LIMIT ?`,
        runId,
        after,
        pageSize + 1,
      );
      const samples = found.map((row) => ({ id: String(row["sample_id"]), jobs: Number(row["jobs"]) }));
      const count = samplesOfPage(samples, pageSize);
      const last = samples[count - 1]?.id;
      return {
        entries: last === undefined ? [] : jobsUpTo(sql, runId, { after: String(after), last }),
        total: pageToken === undefined || pageToken === "" ? countSamples(sql, runId) : null,
        nextPageToken: last !== undefined && count < samples.length ? encodeToken([last]) : "",
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

/** The number of samples that fit into a page, at least one. */
function samplesOfPage(samples: readonly { readonly jobs: number }[], pageSize: number): number {
  let jobs = 0;
  const tooMany = samples.findIndex((sample, place) => {
    jobs += sample.jobs;
    return place > 0 && jobs > MAX_JOBS;
  });
  return Math.min(pageSize, tooMany < 0 ? samples.length : tooMany);
}

function countSamples(sql: Statements, runId: string): number {
  const row = sql.get(
    "SELECT count(DISTINCT sample_id) AS n FROM jobs WHERE run_id = ? AND sample_id IS NOT NULL",
    runId,
  );
  return Number(row?.["n"] ?? 0);
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
