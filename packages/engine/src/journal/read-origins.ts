import type { Row, Statements } from "./statements.ts";

/** The facts about its job in the origin of a file. */
export interface MakerRow {
  readonly step: string;
  readonly sampleId: string | null;
  readonly tool: { readonly id: string; readonly version: string | null } | null;
  /** The earlier job whose result this one reused. */
  readonly reused: { readonly runId: string; readonly jobId: string } | null;
}

/** A content, and where it occurs. */
export interface ContentQuery {
  readonly runId: string;
  readonly checksum: string;
  readonly sha256: string | null;
  readonly timeMs: number;
  /** Limits the result to this owner's runs. */
  readonly visibleOwner: string | undefined;
}

/** An output of a run. */
export interface MadeRow {
  readonly runId: string;
  readonly uri: string;
}

interface ReadFile {
  readonly uri: string;
  readonly name: string;
}

/** Queries about the job that made a file, and about the runs that read it. */
export function readOrigins(sql: Statements) {
  return {
    makerOf(runId: string, jobId: string): MakerRow | undefined {
      return sql.find(
        toMaker,
        `SELECT step, sample_id, tool ->> '$.id' AS tool, tool ->> '$.version' AS version,
            CASE cache ->> '$.decision' WHEN 'hit' THEN cache ->> '$.job.run_id' END AS reused_run,
            cache ->> '$.job.job_id' AS reused_job
          FROM jobs WHERE run_id = ? AND job_id = ?`,
        runId,
        jobId,
      );
    },

    /** Files that a job read, without secondary ones, each once, in recorded order. */
    filesReadBy(runId: string, jobId: string, limit: number): readonly ReadFile[] {
      const files = sql.records<ReadFile>(
        `SELECT uri, name FROM files WHERE run_id = ? AND job_id = ? AND direction = 'input'
            AND instr(place, '.secondaryFiles') = 0 ORDER BY id LIMIT ?`,
        runId,
        jobId,
        limit,
      );
      return [...new Map(files.map((file) => [file.uri, file])).values()];
    },

    /** Whether the file is an input of the run itself. */
    isRunInput(runId: string, uri: string): boolean {
      // Inputs of a run are recorded before those of its jobs, so the first row decides, except for files that are not an input.
      const input =
        "SELECT 1 FROM files WHERE run_id = ? AND uri = ? AND direction = 'input' AND job_id IS NULL LIMIT 1";
      return sql.has(input, runId, uri);
    },

    /** The last output of another run that had this content before. */
    madeBefore({ runId, checksum, sha256, timeMs, visibleOwner }: ContentQuery): MadeRow | undefined {
      const [made] = sql.records<MadeRow>(
        `SELECT run_id AS runId, coalesce(source_uri, uri) AS uri FROM files
          WHERE checksum = ?1 AND time_ms <= ?2 AND direction = 'output' AND job_id IS NULL AND run_id <> ?3
            AND (?4 IS NULL OR sha256 IS NULL OR sha256 = ?4)
            AND (?5 IS NULL OR EXISTS (SELECT 1 FROM runs WHERE runs.run_id = files.run_id AND owner = ?5))
          ORDER BY time_ms DESC LIMIT 1`,
        checksum,
        timeMs,
        runId,
        sha256,
        visibleOwner ?? null,
      );
      return made;
    },

    /** The number of other runs that have used this content since, at most `limit`. */
    countReaders({ runId, checksum, sha256, timeMs, visibleOwner }: ContentQuery, limit: number): number {
      return sql.number(
        `SELECT count(*) FROM (
          SELECT DISTINCT given.run_id FROM files AS given JOIN runs AS reader ON reader.run_id = given.run_id
            WHERE given.checksum = ?1 AND given.direction = 'input' AND given.job_id IS NULL AND given.run_id <> ?3
              AND (?4 IS NULL OR given.sha256 IS NULL OR given.sha256 = ?4)
              AND reader.created_ms >= ?2 AND (?5 IS NULL OR reader.owner = ?5)
            LIMIT ?6)`,
        checksum,
        timeMs,
        runId,
        sha256,
        visibleOwner ?? null,
        limit,
      );
    },
  };
}

function toMaker(row: Row): MakerRow {
  const text = (name: string): string | null => (row[name] === null ? null : String(row[name]));
  const [tool, version, reusedRun, reusedJob] = ["tool", "version", "reused_run", "reused_job"].map(text);
  return {
    step: String(row["step"]),
    sampleId: text("sample_id"),
    tool: typeof tool === "string" ? { id: tool, version: version ?? null } : null,
    reused: reusedRun && reusedJob ? { runId: reusedRun, jobId: reusedJob } : null,
  };
}
