CREATE TABLE blobs (digest TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
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
, hash TEXT NOT NULL DEFAULT '') STRICT;
CREATE VIRTUAL TABLE file_name_parts USING fts5 (name, tokenize = 'trigram', content = '', detail = none, columnsize = 0);
CREATE TABLE file_names (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, name TEXT NOT NULL) STRICT;
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
, sha256 TEXT, class TEXT NOT NULL DEFAULT 'File', place TEXT NOT NULL DEFAULT '', name_id INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE idempotency (
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (principal, key)
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
  stderr_tail TEXT, container TEXT, attempts TEXT, retry_ms INTEGER, cache TEXT, memory_source TEXT, io_read_bytes INTEGER, io_write_bytes INTEGER, kill TEXT, sandbox TEXT, started_seq INTEGER,
  PRIMARY KEY (run_id, job_id)
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
CREATE TABLE pruned (
  item TEXT PRIMARY KEY,
  run_id TEXT,
  actor TEXT NOT NULL,
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  bytes INTEGER,
  failures INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE reusable (
  key TEXT NOT NULL,
  run_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  outputs TEXT NOT NULL,
  PRIMARY KEY (key, run_id, job_id)
) STRICT, WITHOUT ROWID;
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
, reproduces TEXT, verdict TEXT, retry_of TEXT, jobs_cached INTEGER NOT NULL DEFAULT 0, sinks TEXT, placed TEXT, imported TEXT, note TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE steps (
  run_id TEXT NOT NULL,
  step TEXT NOT NULL,
  position INTEGER NOT NULL,
  label TEXT,
  jobs_total INTEGER NOT NULL,
  jobs_total_is_final INTEGER NOT NULL,
  job_counts TEXT NOT NULL, jobs_cached INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE storage (
  run_id TEXT PRIMARY KEY,
  outputs_bytes INTEGER NOT NULL,
  intermediate_bytes INTEGER NOT NULL,
  logs_bytes INTEGER NOT NULL,
  measured_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE uses (
  item TEXT NOT NULL,
  run_id TEXT NOT NULL,
  PRIMARY KEY (item, run_id)
) STRICT, WITHOUT ROWID;
INSERT INTO blobs (digest, text) VALUES ('sha256:d', '{"class":"CommandLineTool"}');
INSERT INTO blobs (digest, text) VALUES ('sha256:i', '{"name":"ada"}');
INSERT INTO blobs (digest, text) VALUES ('sha256:o', '{}');
INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data, hash) VALUES (1, NULL, 'server.started', 999, NULL, NULL, NULL, 'engine', '{"version":"0.1.0","pid":1}', 'd862198db406cc381d6467bc2fd644397d51ff75d6ca55b466170ebd41538693');
INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data, hash) VALUES (2, 'run-1', 'run.created', 1000, NULL, NULL, NULL, 'ann', '{}', '7df3d801bd10d0dfcf5ec043c28752523b1819529c08bf87ea006520d904f7c9');
INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data, hash) VALUES (3, 'run-1', 'run.started', 1001, NULL, NULL, NULL, 'engine', '{}', '3d1f9e51ec3db9f7925d39ec5960d4819affe74aa2755d116f2962bd8b02dab6');
INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data, hash) VALUES (4, 'run-1', 'job.queued', 1002, 'greet', 'greet', NULL, 'engine', '{}', '8820a58b822019e889f52049c840a76305ac7a012d00ffdd0e18291bbf65bc78');
INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data, hash) VALUES (5, 'run-1', 'job.ended', 1005, 'greet', 'greet', NULL, 'engine', '{}', '2493595b6f4f55a137dca2e7d5184a0968170cb277fbf9724da89a39978e1ff3');
INSERT INTO events (seq, run_id, type, time_ms, job_id, step, sample_id, actor, data, hash) VALUES (6, 'run-1', 'run.ended', 1006, NULL, NULL, NULL, 'engine', '{}', 'a07e16adbbfd4fba6ccd6e7abdd7dc940a3a107985f68818db4176480308c49a');
INSERT INTO jobs (run_id, job_id, n, call_id, step, sample_id, scatter_index, tool, state, phase, attempt, reason, exit_code, signal, queued_ms, started_ms, ended_ms, command, cores, ram_bytes, backend, native_id, inputs, outputs, cpu_ms, max_rss_bytes, stderr_tail, container, attempts, retry_ms, cache, memory_source, io_read_bytes, io_write_bytes, kill, sandbox) VALUES ('run-1', 'greet', 1, 'greet', 'greet', NULL, '[]', '{"id":"greet","version":"1.0.0","class":"CommandLineTool"}', 'COMPLETE', 'ended', 1, NULL, 0, NULL, 1002, 1003, 1005, '{"argv":["echo","hello"],"workdir":"/s/runs/run-1/jobs/greet@1/out","env":{}}', 1, 268435456, 'local', '77', 'sha256:i', 'sha256:o', 2, NULL, NULL, NULL, NULL, NULL, '{"decision":"miss","reason":"nothing of this tool has run before","diff":[]}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO runs (run_id, state, outcome, reason, kind, process_id, process_version, process_digest, process_label, name, owner, tags, options, document, document_uri, inputs, samples, outputs, created_ms, started_ms, ended_ms, updated_ms, revision, job_counts, abort, reproduces, verdict, retry_of, jobs_cached, sinks, placed, imported, note) VALUES ('run-1', 'COMPLETE', 'success', NULL, 'tool', 'greet', '1.0.0', 'sha256:p', NULL, 'greet', 'ann', '{}', '{}', 'sha256:d', 'weft-data://catalog/tools/greet/1.0.0/greet.cwl', 'sha256:i', '{}', 'sha256:o', 1000, 1001, 1006, 1006, 6, '{"COMPLETE":1}', NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL);
INSERT INTO steps (run_id, step, position, label, jobs_total, jobs_total_is_final, job_counts, jobs_cached) VALUES ('run-1', 'greet', 0, NULL, 1, 1, '{"COMPLETE":1}', 0);
CREATE INDEX events_of_run ON events (run_id, seq);
CREATE UNIQUE INDEX file_names_of_run ON file_names (run_id, name);
CREATE INDEX files_by_checksum ON files (checksum, id) WHERE checksum IS NOT NULL;
CREATE INDEX files_by_name ON files (name_id);
CREATE INDEX files_by_sha256 ON files (sha256, id) WHERE sha256 IS NOT NULL;
CREATE INDEX files_by_uri ON files (run_id, uri, direction);
CREATE INDEX files_given ON files (checksum, run_id) WHERE direction = 'input' AND job_id IS NULL;
CREATE INDEX files_made ON files (checksum, time_ms) WHERE direction = 'output' AND job_id IS NULL;
CREATE INDEX files_of_run ON files (run_id, job_id, direction);
CREATE UNIQUE INDEX jobs_by_call ON jobs (run_id, call_id);
CREATE INDEX jobs_by_state ON jobs (run_id, state, n);
CREATE INDEX jobs_by_tool ON jobs (tool ->> '$.id', tool ->> '$.version', run_id, job_id);
CREATE UNIQUE INDEX jobs_in_order ON jobs (run_id, n);
CREATE INDEX jobs_killed ON jobs (run_id, n) WHERE kill IS NOT NULL;
CREATE INDEX jobs_of_samples ON jobs (run_id, sample_id, n) WHERE sample_id IS NOT NULL;
CREATE INDEX pruned_of_run ON pruned (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX pruned_open ON pruned (begun_ms) WHERE ended_ms IS NULL;
CREATE INDEX runs_by_end ON runs (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX runs_by_process ON runs (kind, process_id, run_id);
CREATE INDEX runs_by_retry ON runs (retry_of, run_id) WHERE retry_of IS NOT NULL;
CREATE INDEX runs_by_state ON runs (state, run_id);
CREATE INDEX runs_by_time ON runs (created_ms, run_id);
CREATE INDEX runs_imported ON runs (imported ->> '$.made_as') WHERE imported IS NOT NULL;
CREATE INDEX runs_to_compare ON runs (run_id) WHERE reproduces IS NOT NULL AND verdict IS NULL;
CREATE INDEX uses_of_run ON uses (run_id);
CREATE TRIGGER jobs_final BEFORE UPDATE OF state ON jobs
  WHEN OLD.state IN ('COMPLETE','EXECUTOR_ERROR','SYSTEM_ERROR','CANCELED','PREEMPTED') AND NEW.state <> OLD.state
  BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
CREATE TRIGGER runs_final BEFORE UPDATE OF state ON runs
  WHEN OLD.state IN ('COMPLETE','EXECUTOR_ERROR','SYSTEM_ERROR','CANCELED','PREEMPTED') AND NEW.state <> OLD.state
  BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
CREATE TABLE tests (
  kind TEXT NOT NULL,
  process_id TEXT NOT NULL,
  version TEXT NOT NULL,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  uri TEXT NOT NULL,
  process_digest TEXT NOT NULL,
  run_id TEXT,
  result TEXT,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  PRIMARY KEY (kind, process_id, version, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tests_by_run ON tests (run_id) WHERE run_id IS NOT NULL;
CREATE TABLE subscriptions (
  subscription_id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL,
  scope TEXT NOT NULL,
  subject TEXT NOT NULL,
  triggers TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_by_subject ON subscriptions (subject, scope);

CREATE TABLE deliveries (
  delivery_id TEXT PRIMARY KEY,
  subscription_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  trigger TEXT NOT NULL,
  run_id TEXT,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  requested_ms INTEGER NOT NULL,
  next_ms INTEGER,
  ended_ms INTEGER,
  attempted_ms INTEGER,
  status INTEGER,
  error TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_in_order ON deliveries (subscription_id, seq);
CREATE INDEX deliveries_pending ON deliveries (subscription_id, run_id, seq) WHERE state = 'pending';
ALTER TABLE runs ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_shown ON runs (run_id) WHERE archived = 0;
CREATE INDEX runs_pinned ON runs (run_id) WHERE pinned = 1;
PRAGMA user_version = 16;
