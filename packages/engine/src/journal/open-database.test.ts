import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openForWriting } from "./open-database.ts";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";

const BEFORE_HASHES = `
  DROP INDEX files_by_checksum; DROP INDEX files_by_sha256; DROP INDEX files_by_uri; DROP INDEX files_made; DROP INDEX files_given;
  DROP INDEX runs_to_compare; ALTER TABLE runs DROP COLUMN reproduces; ALTER TABLE runs DROP COLUMN verdict;
  DROP INDEX jobs_by_tool; ALTER TABLE events DROP COLUMN hash;
  ALTER TABLE files DROP COLUMN sha256; ALTER TABLE files DROP COLUMN class; ALTER TABLE files DROP COLUMN place;
  CREATE INDEX files_by_checksum ON files (checksum) WHERE checksum IS NOT NULL;
  CREATE INDEX files_by_uri ON files (uri, direction);`;

/** As anybody can compute them: each over the one before, a line feed and the event as JSON. */
function chained(numbers: readonly number[]): string[] {
  const hashes: string[] = [];
  for (const seq of numbers) {
    const event = [seq, "server.started", seq * 1000, null, null, null, null, "engine", `{"pid":${seq}}`];
    const text = `${hashes.at(-1) ?? "0".repeat(64)}\n${JSON.stringify(event)}`;
    hashes.push(createHash("sha256").update(text).digest("hex"));
  }
  return hashes;
}
const [OPEN, DONE, UPLOAD] = ["a", "b", "c"].map((sign) => sign.repeat(36));
const READ = [
  `weft-data://uploads/${UPLOAD}/a.txt`,
  `weft-data://runs/${DONE}/outputs/a.txt`,
  `weft-data://runs/${DONE}/jobs/a@1/out/a.txt`,
  `weft-data://runs/${OPEN}/outputs/own.txt`,
  "weft-data://catalog/a.txt",
];

it("openForWriting brings a log of the first version up to date", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-migrate-"));
  try {
    const path = join(folder, "weft.db");
    const old = new DatabaseSync(path);
    const later = ["jobs container", "jobs attempts", "jobs retry_ms", "jobs cache", "runs retry_of"];
    const used = [
      "jobs memory_source",
      "jobs io_read_bytes",
      "jobs io_write_bytes",
      "jobs kill",
      "runs sinks",
      "runs placed",
    ];
    const counters = ["runs jobs_cached", "steps jobs_cached"];
    const dropped = [...later, ...used, ...counters].map((place) => {
      const [table, column] = place.split(" ");
      return `ALTER TABLE ${table} DROP COLUMN ${column};`;
    });
    const tables =
      "DROP INDEX runs_by_retry; DROP INDEX jobs_killed; DROP TABLE reusable; DROP TABLE latest_jobs; DROP TABLE storage; DROP TABLE uses; DROP TABLE pruned;";
    old.exec(`${SCHEMA} ${tables} ${dropped.join(" ")} ${BEFORE_HASHES} PRAGMA user_version = 1;`);
    for (const seq of [1, 2, 3])
      old.exec(`INSERT INTO events (seq, run_id, type, time_ms, actor, data)
        VALUES (${seq}, NULL, 'server.started', ${seq * 1000}, 'engine', '{"pid":${seq}}')`);
    for (const [run, ended] of [
      [OPEN, "NULL"],
      [DONE, "7"],
    ])
      old.exec(`INSERT INTO runs (run_id, state, kind, process_id, process_digest, name, owner, tags, options, document,
        document_uri, inputs, samples, created_ms, ended_ms, updated_ms, revision, job_counts)
        VALUES ('${run}', 'RUNNING', 'tool', 'p', '', '', '', '{}', '{}', '', '', '', '{}', 1, ${ended}, 1, 1, '{}')`);
    for (const uri of READ)
      for (const run of [OPEN, DONE])
        old.exec(
          `INSERT INTO files (run_id, direction, port, name, uri, time_ms) VALUES ('${run}', 'input', 'p', 'n', '${uri}', 1)`,
        );
    old.close();
    const db = openForWriting(path, "fast");
    assert.deepEqual({ ...db.prepare("PRAGMA user_version").get() }, { user_version: SCHEMA_VERSION });
    const shapeOf = (database: DatabaseSync) =>
      database.prepare("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name").all();
    const fresh = new DatabaseSync(":memory:");
    fresh.exec(SCHEMA);
    assert.deepEqual(shapeOf(db), shapeOf(fresh));
    for (const table of ["events", "files", "jobs", "runs", "steps"]) {
      const columns = (database: DatabaseSync) =>
        database.prepare(`SELECT name FROM pragma_table_info('${table}') ORDER BY name`).all();
      assert.deepEqual(columns(db), columns(fresh));
    }
    assert.deepEqual(
      db
        .prepare("SELECT hash FROM events ORDER BY seq")
        .all()
        .map(({ hash }) => hash),
      chained([1, 2, 3]),
    );
    const uses = db.prepare("SELECT item, run_id FROM uses ORDER BY item").all();
    assert.deepEqual(
      uses.map(({ item, run_id }) => [item, run_id]),
      [
        [`runs/${DONE}/intermediate`, OPEN],
        [`runs/${DONE}/logs`, OPEN],
        [`runs/${DONE}/outputs`, OPEN],
        [`uploads/${UPLOAD}`, OPEN],
      ],
      "what runs that go on rely on is known",
    );
    db.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
