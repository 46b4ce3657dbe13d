import assert from "node:assert/strict";
import { test } from "node:test";
import { inputRecord } from "../../testing/input-record.ts";
import { MemoryStorage } from "../../testing/memory-storage.ts";
import { StartAttempt } from "./use-run-requests.ts";

test("a request keeps its key, also after a reload, until it changes or its run has begun", () => {
  const storage = new MemoryStorage();
  const first = new StartAttempt("network:a", { inputs: [] }, storage);
  const key = first.keyFor("request");
  assert.equal(first.keyFor("request"), key);
  const reloaded = new StartAttempt("network:a", { inputs: [] }, storage);
  assert.equal(reloaded.keyFor("request"), key);
  assert.notEqual(new StartAttempt("network:b", { inputs: [] }, storage).keyFor("request"), key);
  assert.notEqual(first.keyFor("another request"), key);
  reloaded.end();
  assert.notEqual(reloaded.keyFor("request"), key);
});

test("a form with secrets is not stored", () => {
  const storage = new MemoryStorage();
  const inputs = [inputRecord("token", "string", { secret: true })];
  const attempt = new StartAttempt("network:a", { inputs }, storage);
  assert.equal(attempt.keyFor("request"), attempt.keyFor("request"));
  assert.equal(storage.length, 0);
});
