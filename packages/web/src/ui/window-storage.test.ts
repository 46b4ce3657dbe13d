import assert from "node:assert/strict";
import { test } from "node:test";
import { WindowStorage } from "./window-storage.ts";

function storage() {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (place: number) => [...items.keys()][place] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  };
}

test("two windows keep their own texts, and a third begins with the last one", () => {
  const [shared, ofFirst] = [storage(), storage()];
  const first = new WindowStorage(ofFirst, shared);
  const second = new WindowStorage(storage(), shared);
  first.write("form", "from the first");
  assert.equal(second.read("form"), "from the first");
  second.write("form", "from the second");
  const reloaded = new WindowStorage(ofFirst, shared);
  assert.deepEqual([reloaded.read("form"), second.read("form")], ["from the first", "from the second"]);
  assert.equal(new WindowStorage(storage(), shared).read("form"), "from the second");
  reloaded.remove("form");
  assert.equal(second.read("form"), "from the second", "it was not the first window's to remove");
  second.remove("form");
  assert.deepEqual([second.read("form"), second.keys("f")], [null, []]);
});

test("a window removes the text that it began with", () => {
  const shared = storage();
  new WindowStorage(storage(), shared).write("form", "a");
  const later = new WindowStorage(storage(), shared);
  later.remove("form");
  assert.equal(later.read("form"), null);
});
