import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { StateFolderUnusable } from "./state-folder-unusable.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { NAMES_AT_ONCE } from "./name-tables.ts";
import { openForWriting, versionOf } from "./open-database.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import { openSqliteJournal } from "./sqlite-journal.ts";

/** The versions of which there is a golden database; that of the first lacks an index which later ones were begun with. */
const GOLDEN = [1, 2, 3];

const [OPEN, DONE, UPLOAD] = ["a", "b", "c"].map((sign) => sign.repeat(36));
const READ = [
  `weft-data://uploads/${UPLOAD}/a.txt`,
  `weft-data://runs/${DONE}/outputs/a.txt`,
  `weft-data://runs/${DONE}/jobs/a@1/out/a.txt`,
  `weft-data://runs/${OPEN}/outputs/own.txt`,
  "weft-data://catalog/a.txt",
];

const root = mkdtempSync(join(tmpdir(), "weft-migrate-"));
after(() => rmSync(root, { recursive: true }));

/** A database as a release of that version left it, in a separate folder. */
function golden(version: number): string {
  const path = join(mkdtempSync(join(root, `v${version}-`)), "weft.db");
  using db = new DatabaseSync(path);
  db.exec(readFileSync(new URL(`./testing/golden-v${version}.sql`, import.meta.url), "utf8"));
  return path;
}

/** An open run and one that has ended, both of which were given the files of READ. */
function addRuns(path: string): void {
  using db = new DatabaseSync(path);
  for (const [run, ended] of [
    [OPEN, "NULL"],
    [DONE, "7"],
  ]) {
    db.exec(`INSERT INTO runs (run_id, state, kind, process_id, process_digest, name, owner, tags, options, document,
      document_uri, inputs, samples, created_ms, ended_ms, updated_ms, revision, job_counts)
      VALUES ('${run}', 'RUNNING', 'tool', 'p', '', '', '', '{}', '{}', '', '', '', '{}', 1, ${ended}, 1, 1, '{}')`);
    for (const uri of READ)
      db.exec(`INSERT INTO files (run_id, direction, port, name, uri, time_ms)
        VALUES ('${run}', 'input', 'p', 'n', '${uri}', 1)`);
  }
}

/** Adds this many files with names like `scan-7.nii`. */
function addScans(path: string, count: number): void {
  using db = new DatabaseSync(path);
  db.exec(`WITH RECURSIVE scan (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM scan WHERE at < ${count})
    INSERT INTO files (run_id, direction, port, name, uri, time_ms)
    SELECT run_id, 'input', 'p', 'scan-' || at || '.nii', 'scan/' || at, 1 FROM scan, (SELECT run_id FROM runs)`);
}

function tablesOf(path: string): readonly unknown[] {
  using db = new DatabaseSync(path);
  const columns =
    "SELECT m.name, p.name AS part, p.type FROM sqlite_schema m, pragma_table_info(m.name) p ORDER BY 1, 2";
  const others = "SELECT name, sql FROM sqlite_schema WHERE type <> 'table' ORDER BY name";
  return [...db.prepare(columns).all(), ...db.prepare(others).all()];
}

describe("a database of an earlier release", () => {
  const newest = join(root, "newest.db");
  openForWriting(newest, "fast").close();

  for (const version of GOLDEN) {
    it(`migrates version ${version} to the present tables, keeps its content, and leaves a copy`, async () => {
      const path = golden(version);
      migrateDatabase(path);
      assert.deepEqual(tablesOf(path), tablesOf(newest));
      const journal = await openSqliteJournal(path, "fast");
      assert.equal(journal.lastSeq, 6);
      assert.deepEqual(journal.read.openRuns(), []);
      assert.deepEqual(
        [journal.read.run("run-1")?.state, journal.read.run("run-1")?.jobCounts],
        ["COMPLETE", { COMPLETE: 1 }],
      );
      const job = journal.read.job("run-1", "greet");
      assert.deepEqual([job?.state, job?.exitCode, job?.container, job?.attempts], ["COMPLETE", 0, null, []]);
      await journal.append([
        { type: "server.started", run_id: null, actor: "engine", data: { version: "test", pid: 1 } },
      ]);
      assert.equal(journal.lastSeq, 7);
      await journal.close();
      using copy = new DatabaseSync(`${path}.v${version}.bak`);
      assert.equal(versionOf(copy), version);
      assert.equal(copy.prepare("SELECT max(seq) AS last FROM events").get()?.["last"], 6);
    });
  }

  for (const version of GOLDEN) {
    it(`chains the events of version ${version} by the public rule`, () => {
      const path = golden(version);
      migrateDatabase(path);
      using db = new DatabaseSync(path);
      const rows = db.prepare("SELECT * FROM events ORDER BY seq").all();
      let previous = "0".repeat(64);
      for (const row of rows) {
        const { seq, type, time_ms, run_id, job_id, step, sample_id, actor, data, hash } = row;
        const event = JSON.stringify([seq, type, time_ms, run_id, job_id, step, sample_id, actor, data]);
        previous = createHash("sha256").update(`${previous}\n${event}`).digest("hex");
        assert.equal(hash, previous);
      }
      assert.equal(rows.length, 6);
    });

    it(`finds what open runs of version ${version} rely on`, () => {
      const path = golden(version);
      addRuns(path);
      migrateDatabase(path);
      using db = new DatabaseSync(path);
      const uses = db.prepare("SELECT item, run_id FROM uses ORDER BY item").all();
      assert.deepEqual(
        uses.map((row) => [row["item"], row["run_id"]]),
        [
          [`runs/${DONE}/intermediate`, OPEN],
          [`runs/${DONE}/logs`, OPEN],
          [`runs/${DONE}/outputs`, OPEN],
          [`uploads/${UPLOAD}`, OPEN],
        ],
      );
    });
  }

  it("marks the run of version 8 as made here", async () => {
    const path = golden(8);
    migrateDatabase(path);
    assert.deepEqual(tablesOf(path), tablesOf(newest));
    const journal = await openSqliteJournal(path, "fast");
    const run = journal.read.runs({ ascending: true, pageSize: 1 }).entries[0];
    assert.deepEqual([run?.state, run?.imported, journal.lastSeq], ["COMPLETE", null, 9]);
    await journal.close();
  });

  it("finds files of version 10 by a part of their name, each name of a run once", async () => {
    const path = golden(10);
    addScans(path, 2 * NAMES_AT_ONCE);
    migrateDatabase(path);
    assert.deepEqual(tablesOf(path), tablesOf(newest));
    const journal = await openSqliteJournal(path, "fast");
    const found = (text: string) => journal.read.files({ text, pageSize: 9 }).entries.map(({ uri }) => uri);
    for (const [text, expected] of [
      [".TXT", ["weft-data://runs/x/outputs/1.txt", "weft-data://runs/x/1.txt"]],
      ["2_T", ["weft-data://runs/x/2.nii"]],
      ["-507.nii", ["scan/507"]],
      ["-512.nii", ["scan/512"]],
      ["scan-30", ["309", "308", "307", "306", "305", "304", "303", "302", "301"].map((at) => `scan/${at}`)],
    ] as const)
      assert.deepEqual(found(text), expected);
    await journal.close();
    using db = new DatabaseSync(path);
    assert.equal(db.prepare("SELECT count(*) AS count FROM file_names").get()?.["count"], 2 + 2 * NAMES_AT_ONCE);
  });

  it("gives runs of version 11 no note", async () => {
    const path = golden(11);
    migrateDatabase(path);
    assert.deepEqual(tablesOf(path), tablesOf(newest));
    const journal = await openSqliteJournal(path, "fast");
    assert.deepEqual(
      journal.read.runs({ ascending: true, pageSize: 1 }).entries.map(({ state, note }) => [state, note]),
      [["COMPLETE", ""]],
    );
    await journal.close();
  });

  it("keeps commands of jobs of version 12 in their rows", async () => {
    const path = golden(12);
    migrateDatabase(path);
    assert.deepEqual(tablesOf(path), tablesOf(newest));
    const journal = await openSqliteJournal(path, "fast");
    const job = journal.read.job("run-1", "greet");
    assert.deepEqual([job?.command?.argv, job?.cache?.decision, job?.damaged], [["echo", "hello"], "miss", []]);
    await journal.close();
  });

  it("gives version 13 no tests", async () => {
    const path = golden(13);
    migrateDatabase(path);
    assert.deepEqual(tablesOf(path), tablesOf(newest));
    const journal = await openSqliteJournal(path, "fast");
    assert.deepEqual([journal.read.run("run-1")?.state, journal.read.runsToJudge()], ["COMPLETE", []]);
    await journal.close();
  });

  for (const version of [14, 15, 16, 17])
    it(`gives version ${version} no saved queries`, async () => {
      const path = golden(version);
      migrateDatabase(path);
      assert.deepEqual(tablesOf(path), tablesOf(newest));
      const journal = await openSqliteJournal(path, "fast");
      assert.deepEqual([journal.read.run("run-1")?.state, journal.read.savedQueries()], ["COMPLETE", []]);
      await journal.close();
    });

  it("stays unchanged if it cannot be copied first", () => {
    const path = golden(1);
    writeFileSync(`${path}.v1.bak.partial`, "what a start that was broken off has left");
    migrateDatabase(path);
    assert.equal(existsSync(`${path}.v1.bak.partial`), false);
    const other = golden(1);
    mkdirSync(join(`${other}.v1.bak`, "in the way"), { recursive: true });
    assert.throws(() => migrateDatabase(other), StateFolderUnusable);
    using db = new DatabaseSync(other);
    assert.equal(versionOf(db), 1);
  });
});

describe("a database that this version cannot migrate", () => {
  it("is refused where a newer Weft has written it", () => {
    const path = golden(1);
    using db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    assert.throws(() => migrateDatabase(path), /written by a newer version of Weft \(schema version/);
    assert.equal(existsSync(`${path}.v${SCHEMA_VERSION + 1}.bak`), false);
  });

  it("is refused if it is not a database", () => {
    const path = join(root, "text.db");
    writeFileSync(path, "not a database, but long enough to be looked at as one ".repeat(100));
    assert.throws(() => migrateDatabase(path), /is not the database of a state folder: file is not a database/);
  });
});

it("finds the runs after which automations must still act", () => {
  const path = join(mkdtempSync(join(root, "occasions-")), "weft.db");
  const db = openForWriting(path, "fast");
  const settings = JSON.stringify({ trigger: { kind: "run-ended", network: "n" } });
  const addAutomation = db.prepare("INSERT INTO automations VALUES (?, 'ann', ?, 'active', '', 5, NULL)");
  addAutomation.run("after", settings);
  addAutomation.run("other", settings.replace('"n"', '"m"'));
  const addRun =
    db.prepare(`INSERT INTO runs (run_id, state, outcome, kind, process_id, process_digest, name, owner, tags, options,
    document, document_uri, inputs, samples, created_ms, ended_ms, updated_ms, revision, job_counts)
    VALUES (?, 'COMPLETE', ?, 'network', 'n', '', '', 'ann', '{}', '{}', '', '', '', '{}', 1, ?, 1, 1, '{}')`);
  const addEvent = db.prepare(
    "INSERT INTO events (run_id, type, time_ms, actor, data) VALUES (?, 'run.ended', 1, '', '{}')",
  );
  for (const [runId, outcome, endedMs] of [
    ["early", "success", 4],
    ["used", "success", 6],
    ["failed", "failure", 7],
    ["open", "success", 8],
  ] as const) {
    addRun.run(runId, outcome, endedMs);
    addEvent.run(runId);
  }
  db.exec("INSERT INTO automation_keys VALUES ('after', 'run used')");
  db.exec("ALTER TABLE automations DROP COLUMN credential; ALTER TABLE subscriptions DROP COLUMN credential");
  db.exec("DROP TABLE automation_occasions; DROP TABLE long_blobs; PRAGMA user_version = 20");
  db.close();
  migrateDatabase(path);
  using migrated = new DatabaseSync(path);
  const found = migrated.prepare("SELECT automation_id, run_id FROM automation_occasions").all();
  assert.deepEqual(
    found.map((row) => ({ ...row })),
    [{ automation_id: "after", run_id: "open" }],
  );
});
