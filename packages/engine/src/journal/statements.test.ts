import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { namedStatement, Statements } from "./statements.ts";

function openTable(): { readonly sql: Statements; readonly rows: () => unknown[] } {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE jobs (id, state, begun_ms, ended_ms)");
  const sql = new Statements(db);
  return { sql, rows: () => sql.all("SELECT * FROM jobs").map((row) => ({ ...row })) };
}

const INSERT = namedStatement("INSERT INTO jobs VALUES (:id, 'QUEUED', :now_ms, :now_ms)");

it("binds values by name, in any order and more than once", () => {
  const { sql, rows } = openTable();
  sql.write(INSERT, { now_ms: 7, id: "a" });
  sql.write(INSERT, { id: null, now_ms: 8 });
  assert.deepEqual(rows(), [
    { id: "a", state: "QUEUED", begun_ms: 7, ended_ms: 7 },
    { id: null, state: "QUEUED", begun_ms: 8, ended_ms: 8 },
  ]);
});

it("refuses a name without a value", () => {
  const { sql, rows } = openTable();
  assert.throws(() => sql.write(INSERT, { id: "a" }), { message: "the statement needs a value for :now_ms" });
  assert.deepEqual(rows(), []);
});

it("refuses a value that the statement does not name", () => {
  const { sql, rows } = openTable();
  const write = () => sql.write(INSERT, { id: "a", now_ms: 1, ended_ms: 2 });
  assert.throws(write, { message: "the statement has no parameters ended_ms" });
  assert.deepEqual(rows(), []);
});
