import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../../testing/memory-storage.ts";
import { WindowStorage } from "../../ui/window-storage.ts";
import { type Draft, DraftStore } from "./use-draft.ts";

function storeIn(shared: Storage, own = new MemoryStorage()): DraftStore {
  return new DraftStore(new WindowStorage(own, shared));
}

function draft(value: unknown, minute = 0): Draft {
  return { values: { value }, samples: undefined, savedAt: new Date(minute * 60_000).toISOString() };
}

test("a draft is kept until it is removed", () => {
  const store = storeIn(new MemoryStorage());
  store.write("network:a", draft(1));
  assert.deepEqual(store.read("network:a")?.values, { value: 1 });
  assert.equal(store.read("network:b"), undefined);
  store.remove("network:a");
  assert.equal(store.read("network:a"), undefined);
});

test("the twenty newest drafts are kept, and other entries are not changed", () => {
  const storage = new MemoryStorage();
  storage.setItem("weft-theme", "dark");
  const store = storeIn(storage);
  for (let n = 0; n < 30; n += 1) store.write(`f${n}`, draft(n, n));
  assert.equal(storage.length, 21);
  assert.equal(storage.getItem("weft-theme"), "dark");
  assert.equal(store.read("f9"), undefined);
  assert.deepEqual(store.read("f10")?.values, { value: 10 });
});

test("survives a full store and foreign text", () => {
  const storage = new MemoryStorage(200);
  const store = storeIn(storage, new MemoryStorage(200));
  store.write("f", draft("old"));
  store.write("f", draft("x".repeat(300)));
  assert.equal(store.read("f"), undefined);
  for (const text of ["", "{", "[]", '{"values": 1}']) {
    storage.setItem("weft-draft:g", text);
    assert.equal(store.read("g"), undefined, text);
  }
});

test("a form that is open in two windows has a draft in each, and starting one leaves the other", () => {
  const [shared, ofFirst] = [new MemoryStorage(), new MemoryStorage()];
  const [first, second] = [storeIn(shared, ofFirst), storeIn(shared)];
  first.write("network:a", draft("from the first", 1));
  second.write("network:a", draft("from the second", 2));
  assert.deepEqual(storeIn(shared, ofFirst).read("network:a")?.values, { value: "from the first" });
  second.remove("network:a");
  assert.deepEqual(first.read("network:a")?.values, { value: "from the first" });
});
