import type { DatabaseSync } from "node:sqlite";
import { AUTOMATION_TABLES, OCCASION_TABLE, OCCASIONS_OF_RUNS } from "./project-automations.ts";
import { chainEvents } from "./chain-events.ts";
import { NAME_TABLES, NAMES_OF_FILES } from "./name-tables.ts";
import { CREDENTIAL_COLUMNS, NOTIFICATION_TABLES } from "./project-notifications.ts";
import { QUERY_TABLE } from "./project-query.ts";
import { REVIEW_TABLE } from "./project-reviews.ts";
import { STORAGE_TABLES, USES_OF_OPEN_RUNS } from "./storage-tables.ts";
import { TEST_TABLE } from "./project-test.ts";
import { COUNT_TABLES, COUNTS_OF_RUNS } from "./count-tables.ts";

/**
 * The tables. `events`, `blobs` and `long_blobs` are the log and the truth; every other table is a projection of them,
 * written only in the same transaction. Times are milliseconds since 1970 (UTC).
 */
export const SCHEMA_VERSION = 23;

/** The cost of a query about one content, tool or run depends only on its own size. */
const FILE_INDEXES = `
CREATE INDEX files_by_checksum ON files (checksum, id) WHERE checksum IS NOT NULL;
CREATE INDEX files_by_sha256 ON files (sha256, id) WHERE sha256 IS NOT NULL;
CREATE INDEX files_by_uri ON files (run_id, uri, direction);
CREATE INDEX files_made ON files (checksum, time_ms) WHERE direction = 'output' AND job_id IS NULL;
CREATE INDEX files_given ON files (checksum, run_id) WHERE direction = 'input' AND job_id IS NULL;
CREATE INDEX runs_to_compare ON runs (run_id) WHERE reproduces IS NOT NULL AND verdict IS NULL;
CREATE INDEX jobs_by_tool ON jobs (tool ->> '$.id', tool ->> '$.version', run_id, job_id);
`;

const SAMPLE_INDEX = "CREATE INDEX jobs_of_samples ON jobs (run_id, sample_id, n) WHERE sample_id IS NOT NULL;\n";

const IMPORT_INDEX = "CREATE INDEX runs_imported ON runs (imported ->> '$.made_as') WHERE imported IS NOT NULL;\n";

/** The list of runs hides archived ones, which may be most of them, and shows pinned ones by themselves. */
const FLAG_INDEXES = `CREATE INDEX runs_shown ON runs (run_id) WHERE archived = 0;
CREATE INDEX runs_pinned ON runs (run_id) WHERE pinned = 1;
`;

/** Everything that lists of runs filter by, in their order: a filter that few runs meet reads this instead of all runs. */
const FILTER_INDEX = `CREATE INDEX runs_to_filter ON runs
  (run_id, archived, state, kind, process_id, owner, pinned, created_ms, name, tags);
`;

const END_INDEX = "CREATE INDEX runs_by_end ON runs (ended_ms, outcome) WHERE ended_ms IS NOT NULL;\n";

/**
 * `reusable`: jobs with reusable results, by key. `latest_jobs`: the last job started for each element of a step,
 * whatever its outcome; a cache miss is explained by comparing with it.
 */
const CACHE_TABLES = `
CREATE TABLE reusable (
  key TEXT NOT NULL,
  run_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  outputs TEXT NOT NULL,
  PRIMARY KEY (key, run_id, job_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE latest_jobs (
  process_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  step TEXT NOT NULL,
  element TEXT NOT NULL,
  run_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  PRIMARY KEY (process_id, kind, step, element)
) STRICT, WITHOUT ROWID;
`;

/** Texts that never were in memory as a whole: `parts` are digests of blobs, as a JSON list. */
const LONG_BLOBS = "CREATE TABLE long_blobs (digest TEXT PRIMARY KEY, parts TEXT NOT NULL) STRICT, WITHOUT ROWID;\n";

export const SCHEMA = `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  run_id TEXT,
  type TEXT NOT NULL,
  time_ms INTEGER NOT NULL,
  job_id TEXT,
  step TEXT,
  sample_id TEXT,
  actor TEXT NOT NULL,
  data TEXT NOT NULL,
  hash TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX events_of_run ON events (run_id, seq);

CREATE TABLE blobs (digest TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
${LONG_BLOBS}
CREATE TABLE runs (
  run_id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  outcome TEXT,
  reason TEXT,
  kind TEXT NOT NULL,
  process_id TEXT NOT NULL,
  process_version TEXT,
  process_digest TEXT NOT NULL,
  process_label TEXT,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  tags TEXT NOT NULL,
  options TEXT NOT NULL,
  document TEXT NOT NULL,
  document_uri TEXT NOT NULL,
  inputs TEXT NOT NULL,
  samples TEXT NOT NULL,
  outputs TEXT,
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  ended_ms INTEGER,
  updated_ms INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  job_counts TEXT NOT NULL,
  abort TEXT,
  retry_of TEXT,
  jobs_cached INTEGER NOT NULL DEFAULT 0,
  reproduces TEXT,
  verdict TEXT,
  sinks TEXT,
  placed TEXT,
  imported TEXT,
  note TEXT,
  archived INTEGER NOT NULL DEFAULT 0,
  pinned INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs (created_ms, run_id);
${END_INDEX}${FILTER_INDEX}CREATE INDEX runs_by_state ON runs (state, run_id);
CREATE INDEX runs_by_process ON runs (kind, process_id, run_id);
CREATE INDEX runs_by_retry ON runs (retry_of, run_id) WHERE retry_of IS NOT NULL;
${IMPORT_INDEX}${FLAG_INDEXES}CREATE TRIGGER runs_final BEFORE UPDATE OF state ON runs
  WHEN OLD.state IN ('COMPLETE','EXECUTOR_ERROR','SYSTEM_ERROR','CANCELED','PREEMPTED') AND NEW.state <> OLD.state
  BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;

CREATE TABLE steps (
  run_id TEXT NOT NULL,
  step TEXT NOT NULL,
  position INTEGER NOT NULL,
  label TEXT,
  jobs_total INTEGER NOT NULL,
  jobs_total_is_final INTEGER NOT NULL,
  job_counts TEXT NOT NULL,
  jobs_cached INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  run_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  step TEXT NOT NULL,
  sample_id TEXT,
  scatter_index TEXT NOT NULL,
  tool TEXT NOT NULL,
  state TEXT NOT NULL,
  phase TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  reason TEXT,
  exit_code INTEGER,
  signal INTEGER,
  queued_ms INTEGER NOT NULL,
  started_ms INTEGER,
  ended_ms INTEGER,
  command TEXT,
  cores REAL,
  ram_bytes INTEGER,
  backend TEXT,
  native_id TEXT,
  inputs TEXT,
  outputs TEXT,
  cpu_ms INTEGER,
  max_rss_bytes INTEGER,
  memory_source TEXT,
  io_read_bytes INTEGER,
  io_write_bytes INTEGER,
  stderr_tail TEXT,
  container TEXT,
  sandbox TEXT,
  attempts TEXT,
  retry_ms INTEGER,
  cache TEXT,
  kill TEXT,
  started_seq INTEGER,
  PRIMARY KEY (run_id, job_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX jobs_in_order ON jobs (run_id, n);
CREATE UNIQUE INDEX jobs_by_call ON jobs (run_id, call_id);
CREATE INDEX jobs_by_state ON jobs (run_id, state, n);
CREATE INDEX jobs_killed ON jobs (run_id, n) WHERE kill IS NOT NULL;
${SAMPLE_INDEX}CREATE TRIGGER jobs_final BEFORE UPDATE OF state ON jobs
  WHEN OLD.state IN ('COMPLETE','EXECUTOR_ERROR','SYSTEM_ERROR','CANCELED','PREEMPTED') AND NEW.state <> OLD.state
  BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  job_id TEXT,
  step TEXT,
  sample_id TEXT,
  direction TEXT NOT NULL,
  port TEXT NOT NULL,
  name TEXT NOT NULL,
  uri TEXT NOT NULL,
  source_uri TEXT,
  checksum TEXT,
  size INTEGER,
  time_ms INTEGER NOT NULL,
  sha256 TEXT,
  class TEXT NOT NULL DEFAULT 'File',
  place TEXT NOT NULL DEFAULT '',
  name_id INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX files_of_run ON files (run_id, job_id, direction);
${FILE_INDEXES}${NAME_TABLES}
${CACHE_TABLES}
CREATE TABLE idempotency (
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;
${STORAGE_TABLES}${COUNT_TABLES}${REVIEW_TABLE}${TEST_TABLE}${NOTIFICATION_TABLES}${QUERY_TABLE}${AUTOMATION_TABLES}${OCCASION_TABLE}${CREDENTIAL_COLUMNS}`;

/** `fill`: what SQL alone cannot do, in the same transaction. */
export interface Migration {
  readonly sql: string;
  readonly fill?: (db: DatabaseSync) => void;
}

/** The migrations from each older version to the next, by starting version. */
export const MIGRATIONS: ReadonlyMap<number, Migration> = new Map<number, Migration>([
  [1, { sql: "ALTER TABLE jobs ADD COLUMN container TEXT;" }],
  [2, { sql: "ALTER TABLE jobs ADD COLUMN attempts TEXT; ALTER TABLE jobs ADD COLUMN retry_ms INTEGER;" }],
  [
    3,
    {
      // Logs begun by 0.1.0 lack the first index.
      sql: `CREATE INDEX IF NOT EXISTS runs_by_end ON runs (ended_ms) WHERE ended_ms IS NOT NULL;
        ALTER TABLE events ADD COLUMN hash TEXT NOT NULL DEFAULT '';
        ALTER TABLE runs ADD COLUMN reproduces TEXT; ALTER TABLE runs ADD COLUMN verdict TEXT;
        ALTER TABLE files ADD COLUMN sha256 TEXT;
        ALTER TABLE files ADD COLUMN class TEXT NOT NULL DEFAULT 'File';
        ALTER TABLE files ADD COLUMN place TEXT NOT NULL DEFAULT '';
        DROP INDEX files_by_checksum; DROP INDEX files_by_uri; ${FILE_INDEXES}
        UPDATE files SET checksum = (SELECT same.checksum FROM files AS same WHERE same.run_id = files.run_id
          AND same.uri = files.uri AND same.checksum IS NOT NULL LIMIT 1) WHERE checksum IS NULL;`,
      fill: chainEvents,
    },
  ],
  [
    4,
    {
      sql: `ALTER TABLE jobs ADD COLUMN cache TEXT; ALTER TABLE runs ADD COLUMN retry_of TEXT;
        ALTER TABLE runs ADD COLUMN jobs_cached INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE steps ADD COLUMN jobs_cached INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX runs_by_retry ON runs (retry_of, run_id) WHERE retry_of IS NOT NULL; ${CACHE_TABLES}`,
    },
  ],
  [
    5,
    {
      sql: `ALTER TABLE jobs ADD COLUMN memory_source TEXT; ALTER TABLE jobs ADD COLUMN io_read_bytes INTEGER;
        ALTER TABLE jobs ADD COLUMN io_write_bytes INTEGER; ALTER TABLE jobs ADD COLUMN kill TEXT;
        CREATE INDEX jobs_killed ON jobs (run_id, n) WHERE kill IS NOT NULL;`,
    },
  ],
  [6, { sql: "ALTER TABLE runs ADD COLUMN sinks TEXT; ALTER TABLE runs ADD COLUMN placed TEXT;" }],
  [7, { sql: STORAGE_TABLES + USES_OF_OPEN_RUNS }],
  [8, { sql: `ALTER TABLE runs ADD COLUMN imported TEXT; ${IMPORT_INDEX}` }],
  [9, { sql: "ALTER TABLE jobs ADD COLUMN sandbox TEXT;" }],
  [
    10,
    {
      sql: `ALTER TABLE files ADD COLUMN name_id INTEGER NOT NULL DEFAULT 0; ${NAME_TABLES}${NAMES_OF_FILES}${SAMPLE_INDEX}`,
    },
  ],
  [11, { sql: "ALTER TABLE runs ADD COLUMN note TEXT;" }],
  [12, { sql: "ALTER TABLE jobs ADD COLUMN started_seq INTEGER;" }],
  [13, { sql: TEST_TABLE }],
  [14, { sql: NOTIFICATION_TABLES }],
  [
    15,
    {
      sql: `ALTER TABLE runs ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE runs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0; ${FLAG_INDEXES}`,
    },
  ],
  [16, { sql: REVIEW_TABLE }],
  [17, { sql: QUERY_TABLE }],
  [18, { sql: AUTOMATION_TABLES }],
  [19, { sql: `DROP INDEX runs_by_end; ${END_INDEX}${FILTER_INDEX}${COUNT_TABLES}${COUNTS_OF_RUNS}` }],
  [20, { sql: OCCASION_TABLE + OCCASIONS_OF_RUNS }],
  [21, { sql: LONG_BLOBS }],
  [22, { sql: CREDENTIAL_COLUMNS }],
]);
