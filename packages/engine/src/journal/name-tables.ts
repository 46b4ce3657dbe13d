/**
 * The distinct file names of each run, numbered in order of arrival, with a trigram index (FTS5) that leads from a part
 * of a name to the newest matching names. Names are indexed with the prefix `//`, which no name contains, so that even
 * one letter finds the beginning of a name. Indexing each name by itself would double the cost of an append, so
 * NAMES_AT_ONCE names are indexed together, and the few after them are searched directly.
 */
export const NAME_TABLES = `
CREATE TABLE file_names (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, name TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX file_names_of_run ON file_names (run_id, name);
CREATE VIRTUAL TABLE file_name_parts USING fts5 (name, tokenize = 'trigram', content = '', detail = none, columnsize = 0);
CREATE INDEX files_by_name ON files (name_id);
`;

/** Names are indexed up to the last multiple of this number. */
export const NAMES_AT_ONCE = 256;

/** Prefix of each indexed name. */
export const NAME_START = "//";

/** Indexes the names whose numbers come after the first value, up to the second. */
export const INDEX_NAMES = `INSERT INTO file_name_parts (rowid, name)
  SELECT id, '${NAME_START}' || name FROM file_names WHERE id > ? AND id <= ? ORDER BY id`;
