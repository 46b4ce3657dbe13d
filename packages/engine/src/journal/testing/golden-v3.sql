-- The tables of a state folder of version 3, with one run that has ended.
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

INSERT INTO blobs (digest, text) VALUES ('sha256:d', '{"class":"CommandLineTool"}'), ('sha256:i', '{"name":"ada"}'), ('sha256:o', '{}');
INSERT INTO runs VALUES ('run-1', 'COMPLETE', 'success', NULL, 'tool', 'greet', '1.0.0', 'sha256:p', NULL, 'greet', 'ann', '{}', '{}',
  'sha256:d', 'weft-data://catalog/tools/greet/1.0.0/greet.cwl', 'sha256:i', '{}', 'sha256:o', 1000, 1001, 1006, 1006, 6, '{"COMPLETE":1}', NULL);
INSERT INTO steps VALUES ('run-1', 'greet', 0, NULL, 1, 1, '{"COMPLETE":1}');
INSERT INTO jobs (run_id, job_id, n, call_id, step, scatter_index, tool, state, phase, attempt, exit_code, queued_ms, started_ms,
  ended_ms, command, cores, ram_bytes, backend, native_id, inputs, outputs, cpu_ms)
  VALUES ('run-1', 'greet', 1, 'greet', 'greet', '[]', '{"id":"greet","version":"1.0.0","class":"CommandLineTool"}', 'COMPLETE', 'ended', 1, 0,
  1002, 1003, 1005, '{"argv":["echo","ada"],"workdir":"/x","env":{}}', 1, 268435456, 'local', '77', 'sha256:i', 'sha256:o', 2);
INSERT INTO events (seq, run_id, type, time_ms, job_id, step, actor, data) VALUES
  (1, NULL, 'server.started', 999, NULL, NULL, 'engine', '{"version":"0.1.0","pid":1}'),
  (2, 'run-1', 'run.created', 1000, NULL, NULL, 'ann', '{}'),
  (3, 'run-1', 'run.started', 1001, NULL, NULL, 'engine', '{}'),
  (4, 'run-1', 'job.queued', 1002, 'greet', 'greet', 'engine', '{}'),
  (5, 'run-1', 'job.ended', 1005, 'greet', 'greet', 'engine', '{}'),
  (6, 'run-1', 'run.ended', 1006, NULL, NULL, 'engine', '{}');
PRAGMA user_version = 3;
