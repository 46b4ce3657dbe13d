/**
 * The tables. `events` and `blobs` are the log and the truth; every other table is a projection of them, written in the
 * same transaction and never by anyone else. Times are milliseconds since 1970 (UTC).
 */
export const SCHEMA_VERSION = 4;

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
  data TEXT NOT NULL
) STRICT;
CREATE INDEX events_of_run ON events (run_id, seq);

CREATE TABLE blobs (digest TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;

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
  abort TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs (created_ms, run_id);
CREATE INDEX runs_by_end ON runs (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX runs_by_state ON runs (state, run_id);
CREATE INDEX runs_by_process ON runs (kind, process_id, run_id);
CREATE TRIGGER runs_final BEFORE UPDATE OF state ON runs
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
  stderr_tail TEXT,
  container TEXT,
  attempts TEXT,
  retry_ms INTEGER,
  PRIMARY KEY (run_id, job_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX jobs_in_order ON jobs (run_id, n);
CREATE UNIQUE INDEX jobs_by_call ON jobs (run_id, call_id);
CREATE INDEX jobs_by_state ON jobs (run_id, state, n);
CREATE TRIGGER jobs_final BEFORE UPDATE OF state ON jobs
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
  time_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX files_of_run ON files (run_id, job_id, direction);
CREATE INDEX files_by_checksum ON files (checksum) WHERE checksum IS NOT NULL;
CREATE INDEX files_by_uri ON files (uri, direction);

CREATE TABLE idempotency (
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;
`;

/** What brings the tables of an older version to the next one, by the version that it starts from. */
export const MIGRATIONS: ReadonlyMap<number, string> = new Map([
  [1, "ALTER TABLE jobs ADD COLUMN container TEXT;"],
  [2, "ALTER TABLE jobs ADD COLUMN attempts TEXT; ALTER TABLE jobs ADD COLUMN retry_ms INTEGER;"],
  // Logs that were begun by 0.1.0 lack it.
  [3, "CREATE INDEX IF NOT EXISTS runs_by_end ON runs (ended_ms) WHERE ended_ms IS NOT NULL;"],
]);
