import type { Row, Statements } from "./statements.ts";

/** Files passed between two runs. */
export interface RunLinkRow {
  readonly from: string;
  readonly to: string;
  readonly files: number;
  readonly name: string;
}

/** Files passed between steps; null stands for the inputs or outputs of the run. */
export interface FlowRow {
  readonly from: string | null;
  readonly to: string | null;
  readonly files: number;
}

/**
 * Matches a content that one run had produced before another run, which received it, began. Links equal contents
 * wherever they are, except empty ones. Because the producer ended before the consumer was created, there are no
 * cycles.
 */
const PASSED_ON = `FROM files AS given JOIN runs AS reader ON reader.run_id = given.run_id
  JOIN files AS made ON made.checksum = given.checksum AND made.time_ms <= reader.created_ms
  WHERE given.direction = 'input' AND given.job_id IS NULL AND given.size > 0
    AND made.direction = 'output' AND made.job_id IS NULL AND made.run_id <> given.run_id
    AND (made.sha256 IS NULL OR given.sha256 IS NULL OR made.sha256 = given.sha256)`;

const COLUMNS =
  "made.run_id AS source, given.run_id AS target, count(DISTINCT made.checksum) AS files, min(made.name) AS name";

export type LineageReader = ReturnType<typeof readLineage>;

/** Queries about what was made from what. */
export function readLineage(sql: Statements) {
  return {
    /** The runs whose outputs a run received, newest first. */
    writersFor(runId: string, limit: number): readonly RunLinkRow[] {
      const grouped = "AND given.run_id = ? GROUP BY made.run_id ORDER BY made.run_id DESC";
      return sql.all(`SELECT ${COLUMNS} ${PASSED_ON} ${grouped} LIMIT ?`, runId, limit).map(toRunLink);
    },

    /** The runs that received outputs of a run, newest first. */
    readersOf(runId: string, limit: number): readonly RunLinkRow[] {
      const grouped = "AND made.run_id = ? GROUP BY given.run_id ORDER BY given.run_id DESC";
      return sql.all(`SELECT ${COLUMNS} ${PASSED_ON} ${grouped} LIMIT ?`, runId, limit).map(toRunLink);
    },

    /** How many files pass between the steps of a run, from its inputs, and to its outputs. */
    flows(runId: string): readonly FlowRow[] {
      return sql.all(FLOWS, runId, runId).map((row) => ({
        from: row["source"] as string | null,
        to: row["target"] as string | null,
        files: Number(row["files"]),
      }));
    },

    /** The catalog tools that a run used, by step. */
    toolsOfSteps(runId: string): ReadonlyMap<string, string> {
      const rows = sql.all(
        `SELECT step, tool ->> '$.id' AS id, max(tool ->> '$.version') AS version FROM jobs
           WHERE run_id = ? AND tool ->> '$.id' IS NOT NULL GROUP BY step, id`,
        runId,
      );
      return new Map(
        rows.map(({ step, id, version }) => [String(step), `${String(id)} ${String(version ?? "")}`.trim()]),
      );
    },
  };
}

function toRunLink(row: Row): RunLinkRow {
  return {
    from: String(row["source"]),
    to: String(row["target"]),
    files: Number(row["files"]),
    name: String(row["name"]),
  };
}

const WRITER = `made.run_id = used.run_id AND made.direction = 'output' AND made.job_id IS NOT NULL`;

const FLOWS = `
SELECT made.step AS source, used.step AS target, count(DISTINCT used.uri) AS files
  FROM files AS used LEFT JOIN files AS made ON ${WRITER} AND made.uri = used.uri
  WHERE used.run_id = ? AND used.direction = 'input' AND used.job_id IS NOT NULL GROUP BY made.step, used.step
UNION ALL
SELECT made.step, NULL, count(DISTINCT used.uri)
  FROM files AS used JOIN files AS made ON ${WRITER} AND made.uri = coalesce(used.source_uri, used.uri)
  WHERE used.run_id = ? AND used.direction = 'output' AND used.job_id IS NULL GROUP BY made.step`;
