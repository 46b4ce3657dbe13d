import assert from "node:assert/strict";
import { test } from "node:test";
import { StartAttempt } from "./use-run-requests.ts";

function memory() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
  };
}

test("an unchanged request keeps its key, also after a reload, until its run has begun", () => {
  const storage = memory();
  const first = new StartAttempt("network:a", { inputs: [] }, storage);
  const key = first.keyFor("request");
  assert.equal(first.keyFor("request"), key);
  const reloaded = new StartAttempt("network:a", { inputs: [] }, storage);
  assert.equal(reloaded.keyFor("request"), key);
  assert.notEqual(new StartAttempt("network:b", { inputs: [] }, storage).keyFor("request"), key);
  reloaded.end();
  assert.notEqual(reloaded.keyFor("request"), key);
});

test("a changed request gets another key", () => {
  const attempt = new StartAttempt("network:a", { inputs: [] }, memory());
  const key = attempt.keyFor("request");
  assert.notEqual(attempt.keyFor("another request"), key);
});

test("a form with secrets is not stored", () => {
  const storage = memory();
  const inputs = [{ id: "token", type: "string", type_text: "string", required: true, secret: true }] as const;
  const attempt = new StartAttempt("network:a", { inputs: inputs as never }, storage);
  assert.equal(attempt.keyFor("request"), attempt.keyFor("request"));
  assert.equal(storage.items.size, 0);
});
