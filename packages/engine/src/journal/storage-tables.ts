/**
 * Disk usage of runs, items used by open runs, and removals. An item is `uploads/<id>` or `runs/<id>/<part>`. `uses`
 * lists the items of others that open runs use; rows disappear as runs end. `pruned.ended_ms` is null from the intent
 * to the end of a removal.
 */
export const STORAGE_TABLES = `
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
CREATE INDEX uses_of_run ON uses (run_id);

CREATE TABLE pruned (
  item TEXT PRIMARY KEY,
  run_id TEXT,
  actor TEXT NOT NULL,
  begun_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  bytes INTEGER,
  failures INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX pruned_of_run ON pruned (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX pruned_open ON pruned (begun_ms) WHERE ended_ms IS NULL;
`;

/** Records what contains the inputs of runs that were open before the table existed. */
export const USES_OF_OPEN_RUNS = `
INSERT OR IGNORE INTO uses (item, run_id)
  SELECT substr(uri, 13, 44), run_id FROM files
  WHERE uri LIKE 'weft-data://uploads/%' AND run_id IN (SELECT run_id FROM runs WHERE ended_ms IS NULL);
INSERT OR IGNORE INTO uses (item, run_id)
  SELECT substr(uri, 13, 42) || CASE WHEN substr(uri, 55) LIKE 'outputs/%' THEN 'outputs' ELSE part.name END, run_id
  FROM files, (SELECT 'intermediate' AS name UNION SELECT 'logs') AS part
  WHERE uri LIKE 'weft-data://runs/%' AND substr(uri, 18, 36) <> run_id
    AND run_id IN (SELECT run_id FROM runs WHERE ended_ms IS NULL);
`;
