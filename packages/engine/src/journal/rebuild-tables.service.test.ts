import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { NewEvent } from "./journal-event.ts";
import { isFolded, openForWriting, versionOf } from "./open-database.ts";
import { rebuildTables } from "./rebuild-tables.ts";
import { LOG_VERSION } from "./schema.ts";
import { openLog } from "../app/open-log.ts";
import { StateFolderUnusable } from "./state-folder-unusable.ts";
import { foldedContent } from "./testing/folded-content.ts";
import { LOG_FEATURES } from "../app/features.ts";
import { runCreated, runEnded } from "./testing/new-events.ts";

const whole = { features: LOG_FEATURES };

const GOLDEN = readFileSync(new URL("testing/golden-v11.sql", import.meta.url), "utf8");
const RUN = "01a2013c-29ce-7366-8ca2-14382c1b8352";

const root = temporaryFolder();

function newPath(): string {
  return join(mkdtempSync(join(root, "log-")), "weft.db");
}

/** A log as version 11 left it, or as an earlier one, whose events have no hashes. */
function golden(version: 3 | 11): string {
  const path = newPath();
  using db = new DatabaseSync(path);
  db.exec(GOLDEN);
  if (version === 3) db.exec("ALTER TABLE events DROP COLUMN hash; PRAGMA user_version = 3");
  return path;
}

function tablesOf(path: string): readonly unknown[] {
  using db = new DatabaseSync(path);
  const columns =
    "SELECT m.name, p.name AS part, p.type FROM sqlite_schema m, pragma_table_info(m.name) p ORDER BY 1, 2";
  const others = "SELECT name, sql FROM sqlite_schema WHERE type <> 'table' ORDER BY name";
  return [...db.prepare(columns).all(), ...db.prepare(others).all()];
}

function started(runId: string): NewEvent {
  return { type: "run.started", run_id: runId, actor: "engine", data: {} };
}

function imported(runId: string): NewEvent {
  const events: readonly NewEvent[] = [
    runCreated(runId, { kind: "network" }), // a run of a network is like one of a tool
    started(runId),
    runEnded(runId),
  ];
  const text = events.map((event, index) => JSON.stringify({ time_ms: index, event })).join("\n");
  const made = { made_as: `old-${runId}`, made_by: "bob", made_at: "2026-11-01T00:00:00.000Z", crate_sha256: "0" };
  const digests = { events: "sha256:0", folded: `sha256:${runId}`, document: "sha256:0", files: [] };
  const blobs = [{ digest: digests.folded, text }];
  return { type: "run.imported", run_id: runId, actor: "ann", data: { ...made, ...digests }, blobs };
}

describe("a log of an earlier version", () => {
  const newest = newPath();
  openForWriting(newest, "fast", LOG_FEATURES).close();

  for (const version of [3, 11] as const) {
    it(`gets the tables of this version, folded from the events of version ${version}`, async () => {
      const path = golden(version);
      const journal = await openLog(path, "fast");
      assert.deepEqual(tablesOf(path), tablesOf(newest));
      const run = journal.read.run(RUN);
      assert.deepEqual(
        [run?.state, run?.jobCounts, run?.revision, run?.note, run?.imported, run?.damaged],
        ["COMPLETE", { COMPLETE: 1 }, 9, "", null, []],
      );
      const job = journal.read.job(RUN, "work-1");
      assert.deepEqual([job?.state, job?.command?.argv, job?.damaged], ["COMPLETE", ["smooth", "--number", "1"], []]);
      const found = journal.read.files({ text: ".TXT", pageSize: 9 }).entries.map(({ uri }) => uri);
      assert.deepEqual(found, ["weft-data://runs/x/1.txt"]);
      const [appended] = await journal.append([started(RUN)]);
      assert.equal(appended, null);
      await journal.close();
    });

    it(`has the events of version ${version} in a chain by the public rule`, async () => {
      const path = golden(version);
      await rebuildTables(path, whole);
      using db = new DatabaseSync(path);
      const rows = db.prepare("SELECT * FROM events ORDER BY seq").all();
      let previous = "0".repeat(64);
      for (const row of rows) {
        const { seq, type, time_ms, run_id, job_id, step, sample_id, actor, data, hash } = row;
        const event = JSON.stringify([seq, type, time_ms, run_id, job_id, step, sample_id, actor, data]);
        previous = createHash("sha256").update(`${previous}\n${event}`).digest("hex");
        assert.equal(hash, previous);
      }
      assert.equal(rows.length, 9);
    });
  }

  it("notes the uploads and other runs that an open run reads", async () => {
    const path = newPath();
    const [upload, other] = ["c".repeat(36), "b".repeat(36)];
    const uris = [
      `weft-data://uploads/${upload}/a.txt`,
      `weft-data://runs/${other}/outputs/a.txt`,
      "weft-data://catalog/a",
    ];
    const files = uris.map((uri) => ({ port: "p", name: "a", uri, checksum: null, size: null }));
    const journal = await openLog(path, "fast");
    await journal.append([
      runCreated("open"),
      { type: "run.inputs", run_id: "open", actor: "engine", data: { files } },
    ]);
    await journal.close();
    await rebuildTables(path, { ...whole, always: true });
    using db = new DatabaseSync(path);
    const uses = db.prepare("SELECT item, run_id FROM uses ORDER BY item").all();
    assert.deepEqual(
      uses.map((row) => Object.values(row)),
      [
        [`runs/${other}/outputs`, "open"],
        [`uploads/${upload}`, "open"],
      ],
    );
  });
});

describe("a rebuild", () => {
  it("does nothing for tables of this version, and replaces those of another", async () => {
    const path = newPath();
    const journal = await openLog(path, "fast");
    await journal.append([runCreated("a"), started("a")]);
    await journal.close();
    assert.equal(await rebuildTables(path, whole), undefined);
    const before = foldedContent(path);
    {
      using db = new DatabaseSync(path);
      db.exec("DROP TABLE reviews; ALTER TABLE runs ADD COLUMN of_another TEXT; DELETE FROM steps; DELETE FROM folded");
      assert.equal(isFolded(db, LOG_FEATURES), false);
    }
    assert.deepEqual(await rebuildTables(path, whole), { events: 2, unreadable: [] });
    assert.deepEqual(foldedContent(path), before);
  });

  it("restores an imported run, and starts nothing after it", async () => {
    const path = newPath();
    const settings = { name: "a", network: "second", mode: "new", settle_s: 0, max_runs_per_day: 9 } as const;
    const trigger = { kind: "run-ended", network: "act" } as const;
    const data = { automation_id: "7a1d", owner: "ann", settings: { ...settings, trigger } };
    const journal = await openLog(path, "fast");
    await journal.append([{ type: "automation.created", run_id: null, actor: "ann", data }]);
    for (const run of ["one", "two"]) assert.notEqual((await journal.append([imported(run)]))[0], null);
    assert.deepEqual(
      [journal.read.run("one")?.state, journal.read.run("two")?.imported?.made_as],
      ["COMPLETE", "old-two"],
    );
    await journal.close();
    const before = foldedContent(path);
    assert.deepEqual(before["automation_occasions"], []);
    await rebuildTables(path, { ...whole, always: true });
    assert.deepEqual(foldedContent(path), before);
  });

  it("starts again when power was lost in the middle", async () => {
    const path = golden(3);
    const disk = join(root, "after-power-loss");
    // The files as they are on disk at that moment; the rebuild then fails, too.
    const onProgress = () => {
      cpSync(dirname(path), disk, { recursive: true });
      throw new Error("interrupted");
    };
    await assert.rejects(rebuildTables(path, { ...whole, onProgress }), /is unchanged, .*interrupted/);
    for (const left of [path, join(disk, "weft.db")]) {
      {
        using db = new DatabaseSync(left);
        assert.deepEqual([versionOf(db), isFolded(db, LOG_FEATURES)], [3, false], readdirSync(dirname(left)).join());
      }
      assert.deepEqual(await rebuildTables(left, whole), { events: 9, unreadable: [] });
    }
    assert.deepEqual(foldedContent(join(disk, "weft.db")), foldedContent(path));
  });

  it("skips events that are damaged, and those of a run that it therefore lacks", async () => {
    const path = newPath();
    const journal = await openLog(path, "fast");
    await journal.append([runCreated("a"), started("a"), runCreated("b"), started("b"), started("a"), started("b")]);
    const described = { type: "run.described", run_id: "b", actor: "ann", data: { note: "n" } } as const;
    await journal.append([described, { ...described, run_id: "a" }]);
    await journal.close();
    {
      using db = new DatabaseSync(path);
      db.exec("UPDATE events SET data = '{\"kind\"' WHERE seq = 1; DELETE FROM folded");
    }
    const said: unknown[] = [];
    const again = await openLog(path, "fast", (...words) => said.push(words));
    assert.deepEqual(
      [again.read.run("a"), again.read.run("b")?.state, again.read.run("b")?.note],
      [undefined, "RUNNING", "n"],
    );
    assert.deepEqual(said.at(-1), [
      "warn",
      "damaged events were skipped, and their runs may be incomplete; run weft verify, or restore a backup",
      { count: 3, first: 1 },
    ]);
    await again.close();
  });
});

describe("a database that this version cannot use", () => {
  it("is refused if a newer Weft has written it", async () => {
    const path = golden(11);
    {
      using db = new DatabaseSync(path);
      db.exec(`PRAGMA user_version = ${LOG_VERSION + 1}`);
    }
    const before = readFileSync(path);
    await assert.rejects(
      rebuildTables(path, { ...whole, always: true }),
      /written by a newer version of Weft \(log version/,
    );
    assert.deepEqual(readFileSync(path), before);
  });

  it("is refused if it is not a database", async () => {
    const path = newPath();
    writeFileSync(path, "not a database, but long enough to be opened as one ".repeat(100));
    const text = /is not the database of a state folder: file is not a database/;
    await assert.rejects(
      rebuildTables(path, whole),
      (error) => error instanceof StateFolderUnusable && text.test(error.message),
    );
  });
});
