import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { DiskUsage } from "@weft/shared/records/operations-record.ts";
import type { MeasuredBytes, PinnedFile } from "@weft/shared/events/run-events.ts";
import { decodeToken, pageOf, Where, type Page } from "./page-query.ts";
import type { Row, Statements } from "./statements.ts";

/** The disk usage of a run at its last measurement, in milliseconds since 1970. */
export interface StorageRow extends MeasuredBytes {
  readonly measured_ms: number;
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
  readonly storage: MeasuredBytes | undefined;
}

/** The disk usage of an ended run. `in_use`: 1 if an open run relies on its files. */
type RunUsageRow = Omit<DiskUsage["runs"][number], "url" | "ended_at" | "in_use"> & {
  readonly ended_ms: number | null;
  readonly in_use: number;
};

export interface UsageQuery {
  /** Limits the result to this owner's runs. */
  readonly owner: string | undefined;
  readonly processId: string | undefined;
  readonly pageSize: number;
  readonly pageToken: string | undefined;
}

const TOTAL_BYTES = "(outputs_bytes + intermediate_bytes + logs_bytes)";
const SELECT_PRUNED = "SELECT item, actor, begun_ms AS begunMs, ended_ms AS endedMs, bytes FROM pruned";

/** Queries about disk usage, items in use, and removals. */
export function readStorage(sql: Statements) {
  return {
    storage(runId: string): StorageRow | undefined {
      const measured =
        "SELECT outputs_bytes, intermediate_bytes, logs_bytes, measured_ms FROM storage WHERE run_id = ?";
      return sql.records<StorageRow>(measured, runId)[0];
    },

    /** Sums over all measured runs. */
    storageTotals() {
      const [{ outputs_bytes: outputs, intermediate_bytes: intermediate, logs_bytes: logs } = NOTHING] =
        sql.records<MeasuredBytes>("SELECT outputs_bytes, intermediate_bytes, logs_bytes FROM storage_totals");
      return { outputs, intermediate, logs };
    },

    /** Disk space of ended runs by process, the largest first. `owner`: only of this owner's runs. */
    usageByProcess(owner: string | undefined, limit: number): DiskUsage["processes"] {
      return sql.records(
        `SELECT kind, process_id AS id, count(*) AS runs, sum(outputs_bytes) AS outputs_bytes,
           sum(intermediate_bytes) AS intermediate_bytes, sum(logs_bytes) AS logs_bytes, sum(${TOTAL_BYTES}) AS total_bytes
           FROM storage JOIN runs USING (run_id) WHERE owner = coalesce(?, owner) GROUP BY kind, process_id
           ORDER BY sum(${TOTAL_BYTES}) DESC, process_id LIMIT ?`,
        owner ?? null,
        limit,
      );
    },

    /** Disk space of each ended run, the largest first. */
    usageByRun({ owner, processId, pageSize, pageToken }: UsageQuery): Page<RunUsageRow> {
      const where = new Where();
      if (owner !== undefined) where.add("owner = ?", owner);
      if (processId !== undefined) where.add("process_id = ?", processId);
      const from = "FROM storage JOIN runs USING (run_id)";
      const total = where.count(sql, `count(*) ${from}`);
      const after = decodeToken(pageToken, ["number", "string"]);
      if (after !== undefined) where.add(`(${TOTAL_BYTES}, run_id) < (?, ?)`, Number(after[0]), String(after[1]));
      const rows = sql.all(
        `SELECT run_id, name, owner, kind, process_id AS id, ended_ms, outputs_bytes, intermediate_bytes, logs_bytes,
           ${TOTAL_BYTES} AS total_bytes,
           EXISTS (SELECT 1 FROM uses WHERE item IN ('runs/' || run_id || '/outputs', 'runs/' || run_id || '/intermediate',
             'runs/' || run_id || '/logs')) AS in_use
           ${from} ${where.sql} ORDER BY total_bytes DESC, run_id DESC LIMIT ?`,
        ...where.values,
        pageSize + 1,
      );
      const key = (row: Row) => [Number(row["total_bytes"]), String(row["run_id"])];
      return pageOf(rows, { size: pageSize, total, convert: (row) => ({ ...row }) as RunUsageRow, key }); // as selected
    },

    pruned(item: string): PrunedRow | undefined {
      return sql.records<PrunedRow>(`${SELECT_PRUNED} WHERE item = ?`, item)[0];
    },

    prunedOf(runId: string): readonly PrunedRow[] {
      return sql.records(`${SELECT_PRUNED} WHERE run_id = ? ORDER BY begun_ms, item`, runId);
    },

    /** Removals that have begun and whose end is not recorded. */
    openRemovals(): readonly PrunedRow[] {
      return sql.records(`${SELECT_PRUNED} WHERE ended_ms IS NULL ORDER BY begun_ms, item`);
    },

    /** The open runs that rely on an item. */
    usersOf(item: string): readonly string[] {
      return sql.texts("SELECT run_id FROM uses WHERE item = ? ORDER BY run_id", item);
    },

    /** Ended runs that have not been measured yet, oldest first. */
    unmeasuredRuns(): readonly string[] {
      return sql.texts(
        "SELECT run_id FROM runs WHERE ended_ms IS NOT NULL AND run_id NOT IN (SELECT run_id FROM storage) ORDER BY run_id",
      );
    },

    /** Runs that ended before a time and may still have something of a part; oldest end first. */
    endedRuns(part: RunPart, beforeMs: number): readonly EndedRun[] {
      return sql
        .records<MeasuredBytes & Omit<EndedRun, "storage"> & { readonly measured_ms: number | null }>(
          `SELECT runs.run_id AS runId, name, runs.ended_ms AS endedMs, outputs_bytes, intermediate_bytes, logs_bytes, measured_ms FROM runs LEFT JOIN storage ON storage.run_id = runs.run_id
             WHERE runs.ended_ms <= ? AND coalesce(storage.${part}_bytes, 1) > 0 AND NOT EXISTS
               (SELECT 1 FROM pruned WHERE item = 'runs/' || runs.run_id || ? AND pruned.ended_ms IS NOT NULL AND failures = 0)
             ORDER BY runs.ended_ms, runs.run_id`,
          beforeMs,
          `/${part}`,
        )
        .map(({ runId, name, endedMs, measured_ms, ...storage }) => ({
          ...{ runId, name, endedMs },
          storage: measured_ms === null ? undefined : storage,
        }));
    },

    /** Whether a run that is open or still has its outputs has read something of an upload. */
    isUploadOfARun(uploadId: string): boolean {
      const folder = `weft-data://uploads/${uploadId}`;
      const isRead = sql.has(
        `SELECT 1 FROM files WHERE uri >= ? AND uri < ? AND NOT EXISTS
           (SELECT 1 FROM pruned WHERE item = 'runs/' || files.run_id || '/outputs') LIMIT 1`,
        folder,
        // The character after "/".
        `${folder}0`,
      );
      return isRead || sql.has("SELECT 1 FROM uses WHERE item = ?", `uploads/${uploadId}`);
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

const NOTHING: MeasuredBytes = { outputs_bytes: 0, intermediate_bytes: 0, logs_bytes: 0 };
