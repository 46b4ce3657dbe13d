import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../testing/memory-storage.ts";
import { WindowStorage } from "./window-storage.ts";

test("two windows keep their own texts, and a third begins with the last one", () => {
  const [shared, ofFirst] = [new MemoryStorage(), new MemoryStorage()];
  const first = new WindowStorage(ofFirst, shared);
  const second = new WindowStorage(new MemoryStorage(), shared);
  first.write("form", "from the first");
  assert.equal(second.read("form"), "from the first");
  second.write("form", "from the second");
  const reloaded = new WindowStorage(ofFirst, shared);
  assert.deepEqual([reloaded.read("form"), second.read("form")], ["from the first", "from the second"]);
  assert.equal(new WindowStorage(new MemoryStorage(), shared).read("form"), "from the second");
  reloaded.remove("form");
  assert.equal(second.read("form"), "from the second", "it was not the first window's to remove");
  second.remove("form");
  assert.deepEqual([second.read("form"), second.keys("f")], [null, []]);
});

test("a window removes the text that it began with", () => {
  const shared = new MemoryStorage();
  new WindowStorage(new MemoryStorage(), shared).write("form", "a");
  const later = new WindowStorage(new MemoryStorage(), shared);
  later.remove("form");
  assert.equal(later.read("form"), null);
});
