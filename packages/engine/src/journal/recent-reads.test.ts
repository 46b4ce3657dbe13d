import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { openForReading, openForWriting } from "./open-database.ts";
import { dataVersion, RecentReads } from "./recent-reads.ts";
import { Statements } from "./statements.ts";

function openBoth(t: TestContext) {
  const folder = temporaryFolder();
  const writer = openForWriting(join(folder, "log.db"), "fast");
  const reader = openForReading(join(folder, "log.db"));
  t.after(() => {
    reader.close();
    writer.close();
  });
  return { writer: new Statements(writer), reader: new Statements(reader) };
}

/** Counts how often the log itself was read. */
function countedReads(sql: Statements, limit: number) {
  const recent = new RecentReads<number>(dataVersion(sql), limit);
  let asked = 0;
  const get = (key: string) =>
    recent.get(key, () => {
      asked += 1;
      return Number(sql.get("SELECT count(*) AS n FROM blobs")?.["n"]);
    });
  return { get, asked: () => asked };
}

function store(sql: Statements, digest: string): void {
  sql.run("INSERT INTO blobs (digest, text) VALUES (?, ?)", digest, "{}");
}

test("between two commits, a query reads the log once", (t) => {
  const { writer, reader } = openBoth(t);
  store(writer, "a");
  const reads = countedReads(reader, 4);
  assert.deepEqual([reads.get("x"), reads.get("x"), reads.asked()], [1, 1, 1]);
  assert.deepEqual([reads.get("y"), reads.asked()], [1, 2]);
});

test("the next query sees every commit of the writer", (t) => {
  const { writer, reader } = openBoth(t);
  const reads = countedReads(reader, 4);
  for (let written = 0; written < 5; written++) {
    assert.equal(reads.get("x"), written);
    store(writer, String(written));
  }
  assert.equal(reads.get("x"), 5);
});

test("uncommitted rows are not visible, and a rollback changes nothing", (t) => {
  const { writer, reader } = openBoth(t);
  const reads = countedReads(reader, 4);
  writer.run("BEGIN");
  store(writer, "a");
  assert.equal(reads.get("x"), 0);
  writer.run("ROLLBACK");
  assert.deepEqual([reads.get("x"), reads.asked()], [0, 1]);
});

test("the number of cached answers is limited", (t) => {
  const { reader } = openBoth(t);
  const reads = countedReads(reader, 2);
  for (const key of ["a", "b", "c"]) reads.get(key);
  reads.get("c");
  assert.equal(reads.asked(), 3);
  reads.get("a");
  assert.equal(reads.asked(), 4);
});
