-- The tables of a state folder of version 11, with one run that has ended.
CREATE TABLE blobs (digest TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "blobs" VALUES('sha256:document','{"class":"Workflow"}');
INSERT INTO "blobs" VALUES('sha256:inputs','{"numbers":[1,2,3]}');
INSERT INTO "blobs" VALUES('sha256:outputs','{}');
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
INSERT INTO "events" VALUES(1,'01a2013c-29ce-7366-8ca2-14382c1b8352','run.created',1795317049826,NULL,NULL,NULL,'ann','{"kind":"network","process_id":"filled","process_version":null,"process_digest":"sha256:process","name":"run 0","tags":{},"options":{},"document":"sha256:document","document_uri":"weft-data://catalog/networks/filled/filled.cwl","inputs":"sha256:inputs","samples":{},"steps":[{"step":"work","jobs_total":0,"jobs_total_is_final":false}]}','6445d8690df30f0adaed97f661565aa42a8e4396a3b958e44b9c368fe913e709');
INSERT INTO "events" VALUES(2,'01a2013c-29ce-7366-8ca2-14382c1b8352','run.started',1795317049826,NULL,NULL,NULL,'engine','{}','009b9af3ae7d4d7b296fc3cb45d69530bda7eb86247ad900e1c54c9dc0b43ea3');
INSERT INTO "events" VALUES(3,'01a2013c-29ce-7366-8ca2-14382c1b8352','run.steps',1795317049826,NULL,NULL,NULL,'engine','{"steps":[{"step":"work","jobs_total":1,"jobs_total_is_final":true}]}','74a6e9cac693c37b7d8a94f3dfb51a24ba39b832117564938482fdfeb3dcd2e3');
INSERT INTO "events" VALUES(4,'01a2013c-29ce-7366-8ca2-14382c1b8352','job.queued',1795317049826,'work-1','work','sub-1','engine','{"call_id":"work[0]","n":1,"scatter_index":[0],"tool":{"id":"smooth","version":"1.0.0","class":"CommandLineTool"}}','6f9a0a1da39119b2f014bdfec56102cac32268cb2aef72498e927cffb914d9cc');
INSERT INTO "events" VALUES(5,'01a2013c-29ce-7366-8ca2-14382c1b8352','job.started',1795317049826,'work-1','work','sub-1','engine','{"attempt":1,"command":{"argv":["smooth","--number","1"],"workdir":"/state/runs/x/jobs/work-1@1","env":{}},"cores":1,"ram_bytes":268435456,"backend":"local","inputs":"sha256:inputs","files":[]}','bbf232c60582f78591a948a6e2cf25a3f99079997507bfb4488fb2e2a0310206');
INSERT INTO "events" VALUES(6,'01a2013c-29ce-7366-8ca2-14382c1b8352','job.running',1795317049826,'work-1','work','sub-1','engine','{"native_id":"1001"}','1207a70d7f84ff13e4f19db1a9364cb684e7f9e389742503a3706f20c3cb9936');
INSERT INTO "events" VALUES(7,'01a2013c-29ce-7366-8ca2-14382c1b8352','job.exited',1795317049826,'work-1','work','sub-1','engine','{"exit_code":0,"signal":null}','8dfe7d88d6c9149666f3140f96936ade12bdda6779c080a592610790fe7a3e97');
INSERT INTO "events" VALUES(8,'01a2013c-29ce-7366-8ca2-14382c1b8352','job.ended',1795317049826,'work-1','work','sub-1','engine','{"state":"COMPLETE","reason":null,"exit_code":0,"signal":null,"cpu_ms":3,"max_rss_bytes":null,"outputs":"sha256:outputs","files":[{"port":"smoothed","name":"1.txt","uri":"weft-data://runs/x/1.txt","checksum":"sha1$0","size":10}]}','1b0834ebd62d762537d327ff3c9843e4de3541a322fe2131b3de662f1ea6aea2');
INSERT INTO "events" VALUES(9,'01a2013c-29ce-7366-8ca2-14382c1b8352','run.ended',1795317049826,NULL,NULL,NULL,'engine','{"state":"COMPLETE","outcome":"success","reason":null,"outputs":"sha256:outputs","files":[]}','ec099cf9769d0943d8fbbb462dbc08f453d84c68f1cf3e7285ff00ece295317f');
CREATE VIRTUAL TABLE file_name_parts USING fts5 (name, tokenize = 'trigram', content = '', detail = none, columnsize = 0);
CREATE TABLE file_names (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, name TEXT NOT NULL) STRICT;
INSERT INTO "file_names" VALUES(1,'01a2013c-29ce-7366-8ca2-14382c1b8352','1.txt');
INSERT INTO "file_names" VALUES(2,'01a2013c-29ce-7366-8ca2-14382c1b8352','sub-2_T1w.nii');
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
  place TEXT NOT NULL DEFAULT ''
, name_id INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "files" VALUES(1,'01a2013c-29ce-7366-8ca2-14382c1b8352','work-1','work','sub-1','output','smoothed','1.txt','weft-data://runs/x/1.txt',NULL,'sha1$0',10,1795317049826,NULL,'File','',1);
INSERT INTO "files" VALUES(2,'01a2013c-29ce-7366-8ca2-14382c1b8352','work-2','work','sub-2','output','smoothed','sub-2_T1w.nii','weft-data://runs/x/2.nii',NULL,'sha1$1',10,1795317049826,NULL,'File','',2);
INSERT INTO "files" VALUES(3,'01a2013c-29ce-7366-8ca2-14382c1b8352',NULL,NULL,NULL,'output','smoothed','1.txt','weft-data://runs/x/outputs/1.txt',NULL,'sha1$0',10,1795317049826,NULL,'File','',1);
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
  PRIMARY KEY (run_id, job_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "jobs" VALUES('01a2013c-29ce-7366-8ca2-14382c1b8352','work-1',1,'work[0]','work','sub-1','[0]','{"id":"smooth","version":"1.0.0","class":"CommandLineTool"}','COMPLETE','ended',1,NULL,0,NULL,1795317049826,1795317049826,1795317049826,'{"argv":["smooth","--number","1"],"workdir":"/state/runs/x/jobs/work-1@1","env":{}}',1,268435456,'local','1001','sha256:inputs','sha256:outputs',3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
  abort TEXT,
  retry_of TEXT,
  jobs_cached INTEGER NOT NULL DEFAULT 0,
  reproduces TEXT,
  verdict TEXT,
  sinks TEXT,
  placed TEXT,
  imported TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO "runs" VALUES('01a2013c-29ce-7366-8ca2-14382c1b8352','COMPLETE','success',NULL,'network','filled',NULL,'sha256:process',NULL,'run 0','ann','{}','{}','sha256:document','weft-data://catalog/networks/filled/filled.cwl','sha256:inputs','{}','sha256:outputs',1795317049826,1795317049826,1795317049826,1795317049826,9,'{"COMPLETE":1}',NULL,NULL,0,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "steps" VALUES('01a2013c-29ce-7366-8ca2-14382c1b8352','work',0,NULL,1,1,'{"COMPLETE":1}',0);
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
CREATE TRIGGER jobs_final BEFORE UPDATE OF state ON jobs
  WHEN OLD.state IN ('COMPLETE','EXECUTOR_ERROR','SYSTEM_ERROR','CANCELED','PREEMPTED') AND NEW.state <> OLD.state
  BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
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
CREATE TRIGGER runs_final BEFORE UPDATE OF state ON runs
  WHEN OLD.state IN ('COMPLETE','EXECUTOR_ERROR','SYSTEM_ERROR','CANCELED','PREEMPTED') AND NEW.state <> OLD.state
  BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
CREATE INDEX runs_imported ON runs (imported ->> '$.made_as') WHERE imported IS NOT NULL;
CREATE INDEX runs_to_compare ON runs (run_id) WHERE reproduces IS NOT NULL AND verdict IS NULL;
CREATE INDEX uses_of_run ON uses (run_id);
PRAGMA user_version = 11;
