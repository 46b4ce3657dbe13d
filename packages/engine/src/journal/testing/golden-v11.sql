-- A state folder of version 11 with one run that has ended.
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
CREATE TABLE idempotency (
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_of_run ON events (run_id, seq);
-- Three of the tables that a rebuild replaces, whatever their columns.
CREATE VIRTUAL TABLE file_name_parts USING fts5 (name, tokenize = 'trigram', content = '', detail = none, columnsize = 0);
CREATE TABLE file_names (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, name TEXT NOT NULL) STRICT;
INSERT INTO "file_names" VALUES(1,'01a2013c-29ce-7366-8ca2-14382c1b8352','1.txt');
CREATE TABLE runs (run_id TEXT PRIMARY KEY, state TEXT NOT NULL, created_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "runs" VALUES('01a2013c-29ce-7366-8ca2-14382c1b8352','COMPLETE',1795317049826);
CREATE INDEX runs_by_time ON runs (created_ms, run_id);
CREATE TRIGGER runs_final BEFORE UPDATE OF state ON runs
  WHEN OLD.state IN ('COMPLETE','EXECUTOR_ERROR','SYSTEM_ERROR','CANCELED','PREEMPTED') AND NEW.state <> OLD.state
  BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
PRAGMA user_version = 11;
