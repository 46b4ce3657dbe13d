import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import { decodeToken, Where } from "./page-query.ts";
import { pageOf } from "./page-rows.ts";
import type { Page } from "./page-rows.ts";
import type { Row, Statements } from "./statements.ts";

/** The disk usage of a run at its last measurement. Bytes, and milliseconds since 1970. */
export interface StorageRow {
  readonly outputs: number;
  readonly intermediate: number;
  readonly logs: number;
  readonly measuredMs: number;
}

/** A removal; `endedMs` is null while it is in progress. */
export interface PrunedRow {
  /** `runs/<run id>/<part>` or `uploads/<id>`. */
  readonly item: string;
  readonly actor: string;
  readonly begunMs: number;
  readonly endedMs: number | null;
  readonly bytes: number | null;
}

/** An ended run with its disk usage. */
export interface EndedRun {
  readonly runId: string;
  readonly name: string;
  readonly endedMs: number;
  readonly storage: StorageRow | undefined;
}

export interface UsageRow {
  readonly outputs: number;
  readonly intermediate: number;
  readonly logs: number;
}

export interface ProcessUsageRow extends UsageRow {
  readonly kind: "network" | "tool";
  readonly processId: string;
  readonly runs: number;
}

export interface RunUsageRow extends UsageRow {
  readonly runId: string;
  readonly name: string;
  readonly owner: string;
  readonly kind: "network" | "tool";
  readonly processId: string;
  readonly endedMs: number | null;
  /** Whether an open run relies on its files. */
  readonly isInUse: boolean;
}

export interface UsageQuery {
  /** Limits the result to this owner's runs. */
  readonly owner: string | undefined;
  readonly processId: string | undefined;
  readonly pageSize: number;
  readonly pageToken: string | undefined;
}

const TOTAL_BYTES = "(outputs_bytes + intermediate_bytes + logs_bytes)";

/** Queries about disk usage, items in use, and removals. */
export function readStorage(sql: Statements) {
  return {
    storage(runId: string): StorageRow | undefined {
      return toStorageRow(sql.get("SELECT * FROM storage WHERE run_id = ?", runId));
    },

    /** Sums over all measured runs. */
    storageTotals(): Omit<StorageRow, "measuredMs"> {
      const row = sql.get(
        "SELECT outputs_bytes AS outputs, intermediate_bytes AS intermediate, logs_bytes AS logs FROM storage_totals",
      );
      const total = (name: string) => Number(row?.[name] ?? 0);
      return { outputs: total("outputs"), intermediate: total("intermediate"), logs: total("logs") };
    },

    /** Disk space of ended runs by process, the largest first. `owner`: only of this owner's runs. */
    usageByProcess(owner: string | undefined, limit: number): readonly ProcessUsageRow[] {
      return sql
        .all(
          `SELECT kind, process_id, count(*) AS runs, sum(outputs_bytes) AS outputs_bytes,
             sum(intermediate_bytes) AS intermediate_bytes, sum(logs_bytes) AS logs_bytes
             FROM storage JOIN runs USING (run_id) WHERE ? IS NULL OR owner = ? GROUP BY kind, process_id
             ORDER BY sum(${TOTAL_BYTES}) DESC, process_id LIMIT ?`,
          owner ?? null,
          owner ?? null,
          limit,
        )
        .map((row) => ({
          ...processOf(row),
          runs: Number(row["runs"]),
          ...sizesOf(row),
        }));
    },

    /** Disk space of each ended run, the largest first. */
    usageByRun({ owner, processId, pageSize, pageToken }: UsageQuery): Page<RunUsageRow> {
      const where = new Where();
      if (owner !== undefined) where.add("owner = ?", owner);
      if (processId !== undefined) where.add("process_id = ?", processId);
      const from = "FROM storage JOIN runs USING (run_id)";
      const total = Number(sql.get(`SELECT count(*) AS n ${from} ${where.sql}`, ...where.values)?.["n"] ?? 0);
      const after = decodeToken(pageToken, ["number", "string"]);
      if (after !== undefined) where.add(`(${TOTAL_BYTES}, run_id) < (?, ?)`, Number(after[0]), String(after[1]));
      const rows = sql.all(
        `SELECT run_id, name, owner, kind, process_id, ended_ms, outputs_bytes, intermediate_bytes, logs_bytes,
           ${TOTAL_BYTES} AS total_bytes,
           EXISTS (SELECT 1 FROM uses WHERE item IN ('runs/' || run_id || '/outputs', 'runs/' || run_id || '/intermediate',
             'runs/' || run_id || '/logs')) AS in_use
           ${from} ${where.sql} ORDER BY total_bytes DESC, run_id DESC LIMIT ?`,
        ...where.values,
        pageSize + 1,
      );
      const key = (row: Row) => [Number(row["total_bytes"]), String(row["run_id"])];
      return pageOf(rows, { size: pageSize, total, convert: toRunUsage, key });
    },

    pruned(item: string): PrunedRow | undefined {
      const row = sql.get("SELECT * FROM pruned WHERE item = ?", item);
      return row === undefined ? undefined : toPrunedRow(row);
    },

    prunedOf(runId: string): readonly PrunedRow[] {
      return sql.all("SELECT * FROM pruned WHERE run_id = ? ORDER BY begun_ms, item", runId).map(toPrunedRow);
    },

    /** Removals that have begun and whose end is not recorded. */
    openRemovals(): readonly PrunedRow[] {
      return sql.all("SELECT * FROM pruned WHERE ended_ms IS NULL ORDER BY begun_ms, item").map(toPrunedRow);
    },

    /** The open runs that rely on an item. */
    usersOf(item: string): readonly string[] {
      return sql
        .all("SELECT run_id FROM uses WHERE item = ? ORDER BY run_id", item)
        .map((row) => String(row["run_id"]));
    },

    /** Ended runs that have not been measured yet, oldest first. */
    unmeasuredRuns(): readonly string[] {
      return sql
        .all(
          "SELECT run_id FROM runs WHERE ended_ms IS NOT NULL AND run_id NOT IN (SELECT run_id FROM storage) ORDER BY run_id",
        )
        .map((row) => String(row["run_id"]));
    },

    /** Runs that ended before a time and may still have something of a part; oldest end first. */
    endedRuns(part: RunPart, beforeMs: number): readonly EndedRun[] {
      return sql
        .all(
          `SELECT runs.run_id, name, runs.ended_ms, outputs_bytes, intermediate_bytes, logs_bytes, measured_ms FROM runs LEFT JOIN storage ON storage.run_id = runs.run_id
             WHERE runs.ended_ms <= ? AND coalesce(storage.${part}_bytes, 1) > 0 AND NOT EXISTS
               (SELECT 1 FROM pruned WHERE item = 'runs/' || runs.run_id || ? AND pruned.ended_ms IS NOT NULL AND failures = 0)
             ORDER BY runs.ended_ms, runs.run_id`,
          beforeMs,
          `/${part}`,
        )
        .map((row) => ({
          runId: String(row["run_id"]),
          name: String(row["name"]),
          endedMs: Number(row["ended_ms"]),
          storage: toStorageRow(row["measured_ms"] === null ? undefined : row),
        }));
    },

    /** Whether a run that is open or still has its outputs has read something of an upload. */
    isUploadOfARun(uploadId: string): boolean {
      const folder = `weft-data://uploads/${uploadId}`;
      const row = sql.get(
        `SELECT 1 FROM files WHERE uri >= ? AND uri < ? AND NOT EXISTS
           (SELECT 1 FROM pruned WHERE item = 'runs/' || files.run_id || '/outputs') LIMIT 1`,
        folder,
        // The character after "/".
        `${folder}0`,
      );
      return row !== undefined || sql.get("SELECT 1 FROM uses WHERE item = ?", `uploads/${uploadId}`) !== undefined;
    },

    /** The time at which the oldest open run was created. */
    oldestOpenRunMs(): number | undefined {
      const row = sql.get("SELECT min(created_ms) AS ms FROM runs WHERE ended_ms IS NULL");
      return row?.["ms"] === null ? undefined : Number(row?.["ms"]);
    },

    /** Logs under names chosen by tools, among their outputs; paths relative to the run's folder. */
    namedLogs(runId: string): readonly string[] {
      const rows = sql.all(
        "SELECT command ->> '$.stderr' AS path FROM jobs WHERE run_id = ? AND command ->> '$.stderr' LIKE '%/out/%'",
        runId,
      );
      // The state folder may have moved.
      return rows.map(({ path }) => String(path).split(`/${runId}/`).slice(1).join(`/${runId}/`));
    },

    /** `sha256` of the downloads that open runs received. */
    pinnedByOpenRuns(): ReadonlySet<string> {
      const rows = sql.all(
        `SELECT data FROM events WHERE type = 'run.fetched' AND run_id IN (SELECT run_id FROM runs WHERE ended_ms IS NULL)`,
      );
      const files = rows.flatMap((row) => (JSON.parse(String(row["data"])) as { files: readonly PinnedFile[] }).files); // written by run-fetch.ts
      return new Set(files.map(({ sha256 }) => sha256));
    },
  };
}

function sizesOf(row: Row): UsageRow {
  return {
    outputs: Number(row["outputs_bytes"]),
    intermediate: Number(row["intermediate_bytes"]),
    logs: Number(row["logs_bytes"]),
  };
}

function processOf(row: Row) {
  return { kind: row["kind"] as "network" | "tool", processId: String(row["process_id"]) }; // this folder writes it
}

function toRunUsage(row: Row): RunUsageRow {
  return {
    runId: String(row["run_id"]),
    name: String(row["name"]),
    owner: String(row["owner"]),
    ...processOf(row),
    endedMs: row["ended_ms"] as number | null,
    isInUse: row["in_use"] === 1,
    ...sizesOf(row),
  };
}

function toStorageRow(row: Row | undefined): StorageRow | undefined {
  if (row === undefined) return undefined;
  return {
    outputs: Number(row["outputs_bytes"]),
    intermediate: Number(row["intermediate_bytes"]),
    logs: Number(row["logs_bytes"]),
    measuredMs: Number(row["measured_ms"]),
  };
}

function toPrunedRow(row: Row): PrunedRow {
  return {
    item: String(row["item"]),
    actor: String(row["actor"]),
    begunMs: Number(row["begun_ms"]),
    endedMs: row["ended_ms"] as number | null,
    bytes: row["bytes"] as number | null,
  };
}
