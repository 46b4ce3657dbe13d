import { FINAL_STATES, RUN_STATES } from "@weft/shared/records/state-names.ts";
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { LogFeature } from "./log-feature.ts";
import { NAME_TABLES } from "./name-tables.ts";
import { STORAGE_TABLES } from "./project-storage.ts";
import { eventHash, FIRST_HASH, toStoredEvent } from "./event-hash.ts";

/**
 * The version of the log: of its own tables and of the meaning of events. Weft refuses the file of a later version. The
 * numbers below 24 are those of logs whose other tables were migrated, too.
 */
export const LOG_VERSION = 24;

/** Raise it when an event changes the tables differently than before: they are folded again at the next start. */
const FOLD_VERSION = 1;

const OPEN_STATES = RUN_STATES.filter((state) => !FINAL_STATES.some((final) => final === state));

/** SQL condition for runs that have not ended. */
export const OPEN_RUN = `state IN (${OPEN_STATES.map((state) => `'${state}'`).join(",")})`;

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

/** The columns by which lists of runs filter, in list order: a filter that few runs meet reads these, not all runs. */
const FILTER_INDEX = `CREATE INDEX runs_to_filter ON runs
  (run_id, archived, state, kind, process_id, owner, pinned, created_ms, name, tags);
`;

const END_INDEX = "CREATE INDEX runs_by_end ON runs (ended_ms, outcome, archived, owner) WHERE ended_ms IS NOT NULL;\n";

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
const LONG_BLOBS = "CREATE TABLE long_blobs (digest TEXT PRIMARY KEY, parts TEXT NOT NULL) STRICT, WITHOUT ROWID;";

/**
 * The log, which is the truth. No event restores `idempotency`: if the clock is set, the times of its keys move along,
 * and no event records that.
 */
export const LOG_SCHEMA = `
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

CREATE TABLE idempotency (
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;
`;

/** The tables of the log, which no rebuild removes. */
export const LOG_TABLES = ["events", "blobs", "long_blobs", "idempotency"];

/** Steps from the log of each older version to that of the next. */
export const LOG_MIGRATIONS: ReadonlyMap<number, (db: DatabaseSync) => void> = new Map([
  [
    3,
    (db) => {
      db.exec("ALTER TABLE events ADD COLUMN hash TEXT NOT NULL DEFAULT ''");
      chainEvents(db);
    },
  ],
  [21, (db) => db.exec(LONG_BLOBS)],
]);

/**
 * Counts that every page and Prometheus request every few seconds, whatever the size of the log: the number of
 * each owner's runs in each state, and the disk space of all runs. Triggers keep both in the transaction of the event.
 */
const COUNT_TABLES = `
CREATE TABLE run_counts (
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  archived INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  PRIMARY KEY (owner, state, archived)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER run_counts_added AFTER INSERT ON runs BEGIN
  INSERT INTO run_counts (owner, state, archived, runs) VALUES (NEW.owner, NEW.state, NEW.archived, 1)
    ON CONFLICT DO UPDATE SET runs = runs + 1;
END;
CREATE TRIGGER run_counts_moved AFTER UPDATE OF state, archived ON runs
  WHEN NEW.state <> OLD.state OR NEW.archived <> OLD.archived BEGIN
  UPDATE run_counts SET runs = runs - 1
    WHERE owner = OLD.owner AND state = OLD.state AND archived = OLD.archived;
  INSERT INTO run_counts (owner, state, archived, runs) VALUES (NEW.owner, NEW.state, NEW.archived, 1)
    ON CONFLICT DO UPDATE SET runs = runs + 1;
END;

CREATE TABLE storage_totals (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  outputs_bytes INTEGER NOT NULL,
  intermediate_bytes INTEGER NOT NULL,
  logs_bytes INTEGER NOT NULL
) STRICT;
INSERT INTO storage_totals VALUES (1, 0, 0, 0);
CREATE TRIGGER storage_totals_added AFTER INSERT ON storage BEGIN
  UPDATE storage_totals SET outputs_bytes = outputs_bytes + NEW.outputs_bytes,
    intermediate_bytes = intermediate_bytes + NEW.intermediate_bytes, logs_bytes = logs_bytes + NEW.logs_bytes;
END;
CREATE TRIGGER storage_totals_changed AFTER UPDATE ON storage BEGIN
  UPDATE storage_totals SET outputs_bytes = outputs_bytes + NEW.outputs_bytes - OLD.outputs_bytes,
    intermediate_bytes = intermediate_bytes + NEW.intermediate_bytes - OLD.intermediate_bytes,
    logs_bytes = logs_bytes + NEW.logs_bytes - OLD.logs_bytes;
END;
`;

/** The tables of the log itself that are folded from its events, written only in the transaction of an event. Times are milliseconds since 1970 (UTC). */
const TABLES = `
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
${STORAGE_TABLES}${COUNT_TABLES}`;

/**
 * Marks of the folds that wrote the tables: those of the log and of each feature. A mark changes automatically with
 * each column and index.
 */
export function foldMarks(features: readonly LogFeature[]): readonly string[] {
  return [TABLES, ...features.map(({ tables }) => tables)].map((tables) => hash("sha256", `${FOLD_VERSION} ${tables}`));
}

/** Creates the tables that are folded. */
export function foldedSchema(features: readonly LogFeature[]): string {
  const marks = foldMarks(features).map((mark) => `('${mark}')`);
  return `${TABLES}${features.map(({ tables }) => tables).join("")}
CREATE TABLE folded (fold TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO folded VALUES ${marks.join()};
`;
}

/** Adds hashes to the events of an older log; within the transaction of a migration. */
function chainEvents(db: DatabaseSync): void {
  const write = db.prepare("UPDATE events SET hash = ? WHERE seq = ?");
  let previous = FIRST_HASH;
  for (let events = readAfter(db, 0); events.length > 0; events = readAfter(db, events.at(-1)?.seq ?? 0)) {
    for (const event of events) {
      previous = eventHash(previous, event);
      write.run(previous, event.seq);
    }
  }
}

const BATCH = 1000;

/** Reads rows in batches, because the caller updates them. */
function readAfter(db: DatabaseSync, seq: number) {
  return db.prepare("SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?").all(seq, BATCH).map(toStoredEvent);
}
