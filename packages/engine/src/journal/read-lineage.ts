import type { Statements } from "./statements.ts";

/** Files passed between two runs, or written by one and given to the other with the same content. */
export interface RunLinkRow {
  readonly from: string;
  readonly to: string;
  /** `location`: it was given a file that the other run wrote; `content`: only files with the same content. */
  readonly by: "location" | "content";
  readonly files: number;
  readonly name: string;
}

/** Files of a port passed between steps; null means the inputs or outputs of the run. */
export interface FlowRow {
  readonly from: string | null;
  /** The input; null for files that no input of the run contains. */
  readonly port: string | null;
  readonly to: string | null;
  /** Output of the run; null if a step reads the files. */
  readonly output: string | null;
  readonly files: number;
}

/** All files that were written to an output of a step, or given to an input of the run (`step` null). */
export interface PortFilesRow {
  readonly step: string | null;
  readonly port: string;
  readonly files: number;
  /** Name of one of the files. */
  readonly name: string;
}

/** The jobs of a step. */
export interface StepJobsRow {
  readonly counts: Readonly<Record<string, number>>;
  /** The only job; null if there are several. */
  readonly onlyJob: string | null;
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

const LINK = `made.run_id AS "from", given.run_id AS "to", count(DISTINCT made.checksum) AS files, min(made.name) AS name,
  iif(max(given.uri = made.uri OR given.uri = coalesce(made.source_uri, made.uri)), 'location', 'content') AS "by"`;

/** Queries about the flow of files between runs and between steps. */
export function readLineage(sql: Statements) {
  return {
    /** The runs whose outputs, or their contents, a run received: first those whose files it received, newest first. */
    writersFor(runId: string, limit: number): readonly RunLinkRow[] {
      const grouped = 'AND given.run_id = ? GROUP BY made.run_id ORDER BY "by" DESC, made.run_id DESC';
      return sql.records(`SELECT ${LINK} ${PASSED_ON} ${grouped} LIMIT ?`, runId, limit);
    },

    /** The runs that received outputs of a run, or their contents: first those that received its files, newest first. */
    readersOf(runId: string, limit: number): readonly RunLinkRow[] {
      const grouped = 'AND made.run_id = ? GROUP BY given.run_id ORDER BY "by" DESC, given.run_id DESC';
      return sql.records(`SELECT ${LINK} ${PASSED_ON} ${grouped} LIMIT ?`, runId, limit);
    },

    /** How many files pass between the steps of a run, from its inputs, and to its outputs; of a sample: its own and shared ones. */
    flows(runId: string, sample?: string): readonly FlowRow[] {
      return sql.records(FLOWS, runId, sample ?? null);
    },

    /** Inputs of the run first. */
    filesOfPorts(runId: string, sample?: string): readonly PortFilesRow[] {
      return sql.records(FILES_OF_PORTS, runId, sample ?? null);
    },

    /** The jobs of each step; of a sample: its own and shared ones. */
    jobsOfSteps(runId: string, sample?: string): ReadonlyMap<string, StepJobsRow> {
      const rows = sql.all(
        `SELECT step, state, count(*) AS jobs, min(job_id) AS job_id FROM jobs WHERE run_id = ?1 AND ${isOf("sample_id")} GROUP BY step, state`,
        runId,
        sample ?? null,
      );
      return new Map(
        [...Map.groupBy(rows, (row) => String(row["step"]))].map(([step, group]) => {
          const counts = Object.fromEntries(group.map((row) => [String(row["state"]), Number(row["jobs"])]));
          const isOnly = group.length === 1 && group[0]?.["jobs"] === 1;
          return [step, { counts, onlyJob: isOnly ? String(group[0]?.["job_id"]) : null }];
        }),
      );
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

/** Jobs without a sample work for all of them. `?2` is the sample; null: every sample. */
function isOf(column: string): string {
  return `(?2 IS NULL OR ${column} IS NULL OR ${column} = ?2)`;
}

/** Inputs of the run with, for a sample, whether they are its own: no job reads them for another sample alone. */
const INPUTS = `inputs AS MATERIALIZED (
  SELECT uri, port, min(name) AS name, ?2 IS NULL OR uri IN (SELECT uri FROM files WHERE run_id = ?1 AND direction = 'input' AND sample_id = ?2)
    OR uri NOT IN (SELECT uri FROM files WHERE run_id = ?1 AND direction = 'input' AND sample_id IS NOT NULL) AS is_own
  FROM files WHERE run_id = ?1 AND job_id IS NULL AND direction = 'input' GROUP BY uri, port)`;

const FLOWS = `
WITH ${INPUTS}, reads AS (
  SELECT step AS target, NULL AS output, uri
    FROM files WHERE run_id = ?1 AND direction = 'input' AND job_id IS NOT NULL AND ${isOf("sample_id")}
  UNION ALL
  SELECT NULL, port, coalesce(source_uri, uri) FROM files WHERE run_id = ?1 AND direction = 'output' AND job_id IS NULL)
SELECT made.step AS "from", coalesce(made.port, inputs.port) AS port, target AS "to", output, count(DISTINCT reads.uri) AS files
  FROM reads
  LEFT JOIN files AS made
    ON made.run_id = ?1 AND made.uri = reads.uri AND made.direction = 'output' AND made.job_id IS NOT NULL
  LEFT JOIN inputs ON inputs.uri = reads.uri AND made.step IS NULL
  WHERE ${isOf("made.sample_id")} AND coalesce(inputs.is_own, 1)
  GROUP BY 1, 2, target, output`;

const FILES_OF_PORTS = `
WITH ${INPUTS}
SELECT NULL AS step, port, count(*) AS files, min(name) AS name FROM inputs WHERE is_own GROUP BY port
UNION ALL
SELECT step, port, count(DISTINCT uri), min(name) FROM files
  WHERE run_id = ?1 AND direction = 'output' AND job_id IS NOT NULL AND ${isOf("sample_id")} GROUP BY step, port`;
