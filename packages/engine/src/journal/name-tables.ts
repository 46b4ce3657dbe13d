/**
 * Which names files of a run have had, each once, numbered as they came; and of these an index of every three letters in a
 * row (FTS5's trigrams), from which a part of a name leads to the newest names that have it. Names are indexed with `//`
 * before them, which is in no name: what a name begins with is found by one letter too. To index names one by one would make
 * each append twice as dear: that is done for NAMES_AT_ONCE together, and the few after them are looked through as they are.
 */
export const NAME_TABLES = `
CREATE TABLE file_names (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, name TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX file_names_of_run ON file_names (run_id, name);
CREATE VIRTUAL TABLE file_name_parts USING fts5 (name, tokenize = 'trigram', content = '', detail = none, columnsize = 0);
CREATE INDEX files_by_name ON files (name_id);
`;

/** The numbers of names that are indexed are those up to the last multiple of this. */
export const NAMES_AT_ONCE = 256;

/** What stands before each name in the index. */
export const NAME_START = "//";

/** Indexes the names whose numbers come after the first value, up to the second. */
export const INDEX_NAMES = `INSERT INTO file_name_parts (rowid, name)
  SELECT id, '${NAME_START}' || name FROM file_names WHERE id > ? AND id <= ? ORDER BY id`;

/** Fills the table of names from the files recorded before it existed, in their order. */
export const NAMES_OF_FILES = `
INSERT INTO file_names (run_id, name) SELECT run_id, name FROM files GROUP BY run_id, name ORDER BY min(id);
UPDATE files SET name_id =
  (SELECT id FROM file_names WHERE file_names.run_id = files.run_id AND file_names.name = files.name);
INSERT INTO file_name_parts (rowid, name) SELECT id, '${NAME_START}' || name FROM file_names
  WHERE id <= (SELECT count(*) / ${NAMES_AT_ONCE} * ${NAMES_AT_ONCE} FROM file_names) ORDER BY id;
`;
