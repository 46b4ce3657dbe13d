import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import type { Row, Statements } from "./statements.ts";

/** What a run has on disk, as it was measured last. Bytes, and milliseconds since 1970. */
export interface StorageRow {
  readonly outputs: number;
  readonly intermediate: number;
  readonly logs: number;
  readonly measuredMs: number;
}

/** A removal; `endedMs` is null while it is under way. */
export interface PrunedRow {
  /** `runs/<run id>/<part>` or `uploads/<id>`. */
  readonly item: string;
  readonly actor: string;
  readonly begunMs: number;
  readonly endedMs: number | null;
  readonly bytes: number | null;
}

/** A run that has ended, seen from the disk. */
export interface EndedRun {
  readonly runId: string;
  readonly name: string;
  readonly endedMs: number;
  readonly storage: StorageRow | undefined;
}

/** Queries about what is on disk, what is relied on, and what was removed. */
export function readStorage(sql: Statements) {
  return {
    storage(runId: string): StorageRow | undefined {
      return toStorageRow(sql.get("SELECT * FROM storage WHERE run_id = ?", runId));
    },

    /** Sums over all measured runs. */
    storageTotals(): Omit<StorageRow, "measuredMs"> {
      const row = sql.get(
        "SELECT sum(outputs_bytes) AS outputs, sum(intermediate_bytes) AS intermediate, sum(logs_bytes) AS logs FROM storage",
      );
      const total = (name: string) => Number(row?.[name] ?? 0);
      return { outputs: total("outputs"), intermediate: total("intermediate"), logs: total("logs") };
    },

    pruned(item: string): PrunedRow | undefined {
      const row = sql.get("SELECT * FROM pruned WHERE item = ?", item);
      return row === undefined ? undefined : toPrunedRow(row);
    },

    prunedOf(runId: string): readonly PrunedRow[] {
      return sql.all("SELECT * FROM pruned WHERE run_id = ? ORDER BY begun_ms, item", runId).map(toPrunedRow);
    },

    /** Removals that were begun and whose end is not on record. */
    openRemovals(): readonly PrunedRow[] {
      return sql.all("SELECT * FROM pruned WHERE ended_ms IS NULL ORDER BY begun_ms, item").map(toPrunedRow);
    },

    /** The open runs that rely on an item. */
    usersOf(item: string): readonly string[] {
      return sql
        .all("SELECT run_id FROM uses WHERE item = ? ORDER BY run_id", item)
        .map((row) => String(row["run_id"]));
    },

    /** Ended runs that nobody has measured yet, oldest first. */
    unmeasuredRuns(): readonly string[] {
      return sql
        .all(
          "SELECT run_id FROM runs WHERE ended_ms IS NOT NULL AND run_id NOT IN (SELECT run_id FROM storage) ORDER BY run_id",
        )
        .map((row) => String(row["run_id"]));
    },

    /** Runs that ended before a time and have something left of a part, as far as is known; oldest end first. */
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

    /** Whether a run that still has its outputs, or is open, has read something of an upload. */
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

    /** When the oldest run that has not ended was asked for. */
    oldestOpenRunMs(): number | undefined {
      const row = sql.get("SELECT min(created_ms) AS ms FROM runs WHERE ended_ms IS NULL");
      return row?.["ms"] === null ? undefined : Number(row?.["ms"]);
    },

    /** Logs that tools have named themselves, among what they wrote; paths below the folder of the run. */
    namedLogs(runId: string): readonly string[] {
      const rows = sql.all(
        "SELECT command ->> '$.stderr' AS path FROM jobs WHERE run_id = ? AND command ->> '$.stderr' LIKE '%/out/%'",
        runId,
      );
      // The state folder may lie elsewhere by now.
      return rows.map(({ path }) => String(path).split(`/${runId}/`).slice(1).join(`/${runId}/`));
    },

    /** `sha256` of the files of the web that open runs were given. */
    pinnedByOpenRuns(): ReadonlySet<string> {
      const rows = sql.all(
        `SELECT data FROM events WHERE type = 'run.fetched' AND run_id IN (SELECT run_id FROM runs WHERE ended_ms IS NULL)`,
      );
      const files = rows.flatMap((row) => (JSON.parse(String(row["data"])) as { files: readonly PinnedFile[] }).files); // written by run-fetch.ts
      return new Set(files.map(({ sha256 }) => sha256));
    },
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
