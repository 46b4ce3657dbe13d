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

test("an account finds no text of another one, and its own when it returns", () => {
  const [own, shared] = [new MemoryStorage(), new MemoryStorage()];
  const windowOf = (account: string) => {
    shared.setItem("weft-account:", account);
    return new WindowStorage(own, shared);
  };
  windowOf("ann").write("form", "of ann");
  const ofBob = windowOf("bob");
  assert.deepEqual([ofBob.read("form"), ofBob.keys("f")], [null, []]);
  ofBob.write("form", "of bob");
  ofBob.remove("form");
  const ofAnn = windowOf("ann");
  assert.deepEqual([ofAnn.read("form"), ofAnn.keys("f")], ["of ann", ["form"]]);
});

test("a window removes the text that it began with", () => {
  const shared = new MemoryStorage();
  new WindowStorage(new MemoryStorage(), shared).write("form", "a");
  const later = new WindowStorage(new MemoryStorage(), shared);
  later.remove("form");
  assert.equal(later.read("form"), null);
});
