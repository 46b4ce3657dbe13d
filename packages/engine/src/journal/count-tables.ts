/**
 * Counts that every page and Prometheus request every few seconds, whatever the size of the log: the number of
 * runs in each state, and the disk space of all runs. Triggers keep both in the transaction of the event.
 */
export const COUNT_TABLES = `
CREATE TABLE run_counts (
  state TEXT NOT NULL,
  archived INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  PRIMARY KEY (state, archived)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER run_counts_added AFTER INSERT ON runs BEGIN
  INSERT INTO run_counts (state, archived, runs) VALUES (NEW.state, NEW.archived, 1)
    ON CONFLICT DO UPDATE SET runs = runs + 1;
END;
CREATE TRIGGER run_counts_moved AFTER UPDATE OF state, archived ON runs
  WHEN NEW.state <> OLD.state OR NEW.archived <> OLD.archived BEGIN
  UPDATE run_counts SET runs = runs - 1 WHERE state = OLD.state AND archived = OLD.archived;
  INSERT INTO run_counts (state, archived, runs) VALUES (NEW.state, NEW.archived, 1)
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
