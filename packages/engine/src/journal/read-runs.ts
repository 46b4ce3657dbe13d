import { decodeToken, likeText, pageOf, Where, type Page } from "./page-query.ts";
import { OPEN_RUN } from "./schema.ts";
import type { RecentReads } from "./recent-reads.ts";
import { toRunRow, toStepRow, type RunRow, type StepRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface RunQuery {
  readonly states?: readonly string[] | undefined;
  readonly kind?: "network" | "tool" | undefined;
  readonly processId?: string | undefined;
  readonly tag?: string | undefined;
  /** Selects archived or other runs; undefined for both. */
  readonly archived?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  readonly owner?: string | undefined;
  /** Limits the result to this owner's runs. */
  readonly visibleOwner?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly text?: string | undefined;
  readonly ascending: boolean;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

export interface NamedRun {
  readonly runId: string;
  readonly name: string;
}

interface RunOfKey {
  readonly runId: string;
  readonly bodyDigest: string;
}

/** A run with the sums over its steps. */
const SELECT_RUN = `SELECT runs.*,
  (SELECT sum(jobs_total) FROM steps WHERE steps.run_id = runs.run_id) AS jobs_total,
  (SELECT min(jobs_total_is_final) FROM steps WHERE steps.run_id = runs.run_id) AS jobs_total_is_final
  FROM runs`;

const RUNS_OF_PROCESS = "FROM runs WHERE kind = ?1 AND process_id = ?2 AND (?3 IS NULL OR owner = ?3)";

const SUCCESSFUL_DURATIONS = `SELECT ended_ms - started_ms AS ms ${RUNS_OF_PROCESS}
  AND outcome = 'success' ORDER BY run_id DESC LIMIT 101`;

interface ProcessStats {
  readonly runs: number;
  /** The time at which the newest run was created. */
  readonly lastMs: number | null;
  readonly medianMs: number | null;
}

/** Answers to repeated questions of watchers, kept until something is written. */
export interface RecentRunReads {
  readonly runs: RecentReads<RunRow | undefined>;
  readonly pages: RecentReads<Page<RunRow>>;
}

/** Queries about runs and their steps. Without `recent`, each reads the database. */
export function readRuns(sql: Statements, recent?: RecentRunReads) {
  return {
    /** If an owner is given, undefined for another owner's run. */
    run(runId: string, owner?: string): RunRow | undefined {
      const find = () => sql.find(toRunRow, `${SELECT_RUN} WHERE run_id = ?`, runId);
      const run = recent === undefined ? find() : recent.runs.get(runId, find);
      return owner === undefined || run?.owner === owner ? run : undefined;
    },

    /** Newest first unless `ascending`; ids sort by creation. */
    runs(query: RunQuery): Page<RunRow> {
      return recent === undefined
        ? listRuns(sql, query)
        : recent.pages.get(JSON.stringify(query), () => listRuns(sql, query));
    },

    /** Retries of this run, newest first, at most `limit`; with an owner only theirs. */
    retriesOf(runId: string, limit: number, owner?: string): readonly NamedRun[] {
      return sql.records(
        "SELECT run_id AS runId, name FROM runs WHERE retry_of = ?1 AND (?3 IS NULL OR owner = ?3) ORDER BY run_id DESC LIMIT ?2",
        runId,
        limit,
        owner ?? null,
      );
    },

    /** The greatest id; ids grow with time. */
    newestRunId(): string | undefined {
      return sql.get("SELECT max(run_id) AS newest FROM runs")?.["newest"]?.toString();
    },

    /** The run here that was imported from another server's run with that id. */
    importOf(madeAs: string): RunRow | undefined {
      const imported = `${SELECT_RUN} WHERE imported IS NOT NULL AND imported ->> '$.made_as' = ? LIMIT 1`;
      return sql.find(toRunRow, imported, madeAs);
    },

    openRuns(): readonly RunRow[] {
      return sql.all(`${SELECT_RUN} WHERE ${OPEN_RUN} ORDER BY run_id`).map(toRunRow);
    },

    /** Ended reproductions that still have to be compared with their original. */
    runsToCompare(): readonly RunRow[] {
      const open = "reproduces IS NOT NULL AND verdict IS NULL AND ended_ms IS NOT NULL AND imported IS NULL";
      return sql.all(`${SELECT_RUN} WHERE ${open}`).map(toRunRow);
    },

    /** The run for which an idempotency key was used after `sinceMs`. */
    runByKey(principal: string, key: string, sinceMs: number): RunOfKey | undefined {
      const found =
        "SELECT run_id AS runId, body_digest AS bodyDigest FROM idempotency WHERE principal = ? AND key = ? AND created_ms > ?";
      return sql.records<RunOfKey>(found, principal, key, sinceMs)[0];
    },

    steps(runId: string): readonly StepRow[] {
      return sql.all("SELECT * FROM steps WHERE run_id = ? ORDER BY position", runId).map(toStepRow);
    },

    /** Leaves out archived runs; with an owner, all but theirs. */
    stateCounts(owner?: string): Readonly<Record<string, number>> {
      const shown = "archived = 0 AND (?1 IS NULL OR owner = ?1)";
      const counts = `SELECT state, sum(runs) AS n FROM run_counts WHERE ${shown} GROUP BY state HAVING n > 0`;
      const rows = sql.all(counts, owner ?? null);
      return Object.fromEntries(rows.map((row) => [String(row["state"]), Number(row["n"])]));
    },

    /** Leaves out archived runs; with an owner, all but theirs. */
    outcomesSince(sinceMs: number, owner?: string): Readonly<Record<string, number>> {
      const recent = "ended_ms >= ?1 AND archived = 0 AND (?2 IS NULL OR owner = ?2)";
      const outcomes = `SELECT outcome, count(*) AS n FROM runs WHERE ${recent} GROUP BY outcome`;
      const rows = sql.all(outcomes, sinceMs, owner ?? null);
      return Object.fromEntries(rows.map((row) => [String(row["outcome"]), Number(row["n"])]));
    },

    /** Statistics of a process, with an owner of their runs; the median is over its last 101 successful runs. */
    processStats(kind: "network" | "tool", id: string, owner?: string): ProcessStats {
      const row = sql.get(`SELECT count(*) AS n, max(created_ms) AS last ${RUNS_OF_PROCESS}`, kind, id, owner ?? null);
      const durations = sql
        .all(SUCCESSFUL_DURATIONS, kind, id, owner ?? null)
        .map((duration) => Number(duration["ms"]))
        .sort((a, b) => a - b);
      return {
        runs: Number(row?.["n"] ?? 0),
        lastMs: (row?.["last"] ?? null) as number | null,
        medianMs: durations[durations.length >> 1] ?? null,
      };
    },
  };
}

function listRuns(sql: Statements, query: RunQuery): Page<RunRow> {
  const where = runConditions(query);
  const total = countRuns(sql, query, where);
  const after = decodeToken(query.pageToken, ["string"]);
  if (after !== undefined) where.add(`run_id ${query.ascending ? ">" : "<"} ?`, String(after[0]));
  const order = query.ascending ? "ASC" : "DESC";
  const ids = `SELECT run_id FROM runs ${isFiltered(query) ? BY_FILTER : ""} ${where.sql} ORDER BY run_id ${order} LIMIT ?`;
  const rows = sql.all(
    `${SELECT_RUN} WHERE run_id IN (${ids}) ORDER BY run_id ${order}`,
    ...where.values,
    query.pageSize + 1,
  );
  return pageOf(rows, { size: query.pageSize, total, convert: toRunRow, key: (row) => [String(row["run_id"])] });
}

/** The narrow index. Without statistics, SQLite would rather look up each run of a state or a process. */
const BY_FILTER = "INDEXED BY runs_to_filter";

/** All runs, archived runs and pinned runs have indexes of their own. */
function isFiltered({ archived: _archived, pinned: _pinned, ...query }: Partial<RunQuery>): boolean {
  return runConditions(query).values.length > 0;
}

function countRuns(sql: Statements, query: RunQuery, where: Where): number {
  const { states, archived, owner, visibleOwner, ...others } = query;
  const isCounted = others.pinned === undefined && !isFiltered(others);
  const counted = { states, archived, owner, visibleOwner };
  if (isCounted) return runConditions(counted).count(sql, "sum(runs) FROM run_counts");
  return where.count(sql, `count(*) FROM runs ${isFiltered(query) ? BY_FILTER : ""}`);
}

function runConditions(query: Partial<RunQuery>): Where {
  const where = new Where().addAny("state", query.states);
  if (query.kind !== undefined) where.add("kind = ?", query.kind);
  if (query.processId !== undefined) where.add("process_id = ?", query.processId);
  if (query.owner !== undefined) where.add("owner = ?", query.owner);
  if (query.visibleOwner !== undefined) where.add("owner = ?", query.visibleOwner);
  if (query.archived !== undefined) where.add(query.archived ? "archived = 1" : "archived = 0");
  if (query.pinned !== undefined) where.add(query.pinned ? "pinned = 1" : "pinned = 0");
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
