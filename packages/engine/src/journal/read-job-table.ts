import type { SQLInputValue } from "node:sqlite";
import type { JobTimesPart } from "@weft/shared/records/job-record.ts";
import type { JobSortKey } from "@weft/shared/records/job-sorts.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import { likeText } from "./page-query.ts";
import type { Row, Statements } from "./statements.ts";

/** Filters and an order that no index supports, so the query reads all jobs of the run. */
export type JobTableQuery = Omit<RouteQuery<"GET /api/runs/{run_id}/jobs">, "skip" | "page_size" | "page_token">;

/** Maximum number of jobs in one answer of `jobTimes`. */
const JOBS_OF_A_PART = 20_000;

/** Failed jobs first, then those under way. */
const STATE_ORDER: readonly JobState[] = [
  "EXECUTOR_ERROR",
  "SYSTEM_ERROR",
  "PREEMPTED",
  "CANCELED",
  "CANCELING",
  "RUNNING",
  "INITIALIZING",
  "QUEUED",
  "COMPLETE",
];

/** A damaged column hides no job. */
const CACHE = `CASE WHEN json_valid(cache) THEN cache ->> '$.decision'
  WHEN cache IS NULL AND started_seq IS NOT NULL AND ended_ms IS NOT NULL THEN 'miss' END`; // an ended row keeps no miss

const MESSAGE = "iif(json_valid(reason), reason ->> '$.message', NULL)";
/** `?2`: now. */
const RUNNING_MS = "coalesce(ended_ms, ?2) - started_ms";

/** One text for all filters, however they are combined: a statement that was prepared is kept. */
const FILTERS = `run_id = ?1
  AND (?3 IS NULL OR state IN (SELECT value FROM json_each(?3)))
  AND (?4 IS NULL OR step = ?4)
  AND (?5 IS NULL OR sample_id = ?5)
  AND (?6 IS NULL OR job_id LIKE ?6 ESCAPE '\\' OR step LIKE ?6 ESCAPE '\\' OR sample_id LIKE ?6 ESCAPE '\\')
  AND (?7 IS NULL OR ${MESSAGE} LIKE ?7 ESCAPE '\\')
  AND (?8 IS NULL OR ${CACHE} = ?8)
  AND (?9 IS NULL OR ${RUNNING_MS} >= ?9)
  AND (?10 IS NULL OR ${RUNNING_MS} <= ?10)
  AND (?11 IS NULL OR max_rss_bytes >= ?11)
  AND (?12 IS NULL OR max_rss_bytes <= ?12)`;

const SORT_SQL: Readonly<Record<JobSortKey, string>> = {
  n: "n",
  job_id: "job_id",
  step: "step",
  sample_id: "sample_id",
  state: `CASE state ${STATE_ORDER.map((state, rank) => `WHEN '${state}' THEN ${rank}`).join(" ")} END`,
  attempt: "attempt",
  queued_ms: "started_ms - queued_ms",
  running_ms: RUNNING_MS,
  cpu_ms: "cpu_ms",
  max_rss_bytes: "max_rss_bytes",
  exit_code: "exit_code",
  backend: "backend",
  cache: CACHE,
  message: MESSAGE,
};

/** Queries over all jobs of a run. They run in a thread, because they take a tenth of a second for 100,000 jobs. */
export function readJobTable(sql: Statements) {
  return {
    /** Sorted numbers of the matching jobs; jobs without a value come last. Running jobs count as ending at `nowMs`. */
    jobOrder(runId: string, query: JobTableQuery, nowMs: number): Uint32Array<ArrayBuffer> {
      const { sort = "n" } = query;
      const key = SORT_SQL[sort.replace("-", "") as JobSortKey]; // a sort without its sign
      const order = `${key} ${sort.startsWith("-") ? "DESC" : "ASC"} NULLS LAST, n`;
      const [numbers = "[]"] = sql.texts(
        `SELECT json_group_array(n ORDER BY ${order}) FROM jobs WHERE ${FILTERS}`,
        ...filterValues(runId, query, nowMs),
      );
      return Uint32Array.from(JSON.parse(numbers) as readonly number[]); // numbers of jobs
    },

    /** The jobs whose numbers follow `after`, at most 20,000. */
    jobTimes(runId: string, after: number): JobTimesPart {
      const rows = sql.all(
        `SELECT n, job_id, step, sample_id, state, attempt, queued_ms, started_ms, ended_ms, cores, ram_bytes, max_rss_bytes,
           ${CACHE} = 'hit' AS cached
         FROM jobs WHERE run_id = ? AND n > ? ORDER BY n LIMIT ?`,
        runId,
        after,
        JOBS_OF_A_PART + 1,
      );
      const total = sql.number("SELECT count(*) FROM jobs WHERE run_id = ?", runId);
      const shown = rows.slice(0, JOBS_OF_A_PART);
      const originMs = sql.number("SELECT created_ms FROM runs WHERE run_id = ?", runId);
      return {
        ...columnsOf(shown, originMs),
        total,
        next: rows.length > shown.length ? Number(shown.at(-1)?.["n"] ?? 0) : null,
      };
    },
  };
}

function filterValues(runId: string, query: JobTableQuery, nowMs: number): readonly SQLInputValue[] {
  const { state: states = [], step, sample, q: text, message, cache } = query;
  const like = (part: string | undefined) => (part === undefined ? null : likeText(part));
  return [
    runId,
    nowMs,
    states.length === 0 ? null : JSON.stringify(states),
    step ?? null,
    sample ?? null,
    like(text),
    like(message),
    cache ?? null,
    query.min_running_ms ?? null,
    query.max_running_ms ?? null,
    query.min_rss_bytes ?? null,
    query.max_rss_bytes ?? null,
  ];
}

/** Steps and samples are named once. */
function columnsOf(
  rows: readonly Row[],
  originMs: number,
): Pick<JobTimesPart, "origin" | "steps" | "samples" | "jobs"> {
  const steps = new Map<string, number>();
  const samples = new Map<string, number>();
  const since = (ms: unknown): number | null => (ms === null ? null : Number(ms) - originMs);
  const jobs: JobTimesPart["jobs"] = {
    job_id: rows.map((row) => String(row["job_id"])),
    step: rows.map((row) => placeIn(steps, String(row["step"]))),
    sample: rows.map(({ sample_id: sample }) => (sample === null ? null : placeIn(samples, String(sample)))),
    state: rows.map((row) => row["state"] as JobState), // written by project-job.ts alone
    attempt: rows.map((row) => Number(row["attempt"])),
    cached: rows.map((row) => row["cached"] === 1),
    queued: rows.map((row) => Number(row["queued_ms"]) - originMs),
    started: rows.map((row) => since(row["started_ms"])),
    ended: rows.map((row) => since(row["ended_ms"])),
    cores: rows.map((row) => numberOrNull(row["cores"])),
    ram_bytes: rows.map((row) => numberOrNull(row["ram_bytes"])),
    max_rss_bytes: rows.map((row) => numberOrNull(row["max_rss_bytes"])),
  };
  return { origin: new Date(originMs).toISOString(), steps: [...steps.keys()], samples: [...samples.keys()], jobs };
}

function placeIn(places: Map<string, number>, name: string): number {
  const known = places.get(name);
  if (known !== undefined) return known;
  places.set(name, places.size);
  return places.size - 1;
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
