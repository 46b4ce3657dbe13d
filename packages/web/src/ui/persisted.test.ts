import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { MemoryStorage } from "../testing/memory-storage.ts";
import { Persisted } from "./persisted.ts";

const storage = new MemoryStorage();
Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
afterEach(storage.clear);

const words = () =>
  new Persisted("words", (kept) => (Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : []));

test("keeps a value for the next visit and notifies its watchers", () => {
  const persisted = words();
  let changes = 0;
  const stop = persisted.subscribe(() => (changes += 1));
  persisted.set(["a", "b"]);
  assert.deepEqual([persisted.get(), words().get(), changes], [["a", "b"], ["a", "b"], 1]);
  assert.equal(persisted.get(), persisted.get(), "an unchanged value stays the same object");
  stop();
  persisted.set([]);
  assert.deepEqual([persisted.get(), changes], [[], 1]);
});

test("passes any stored value to the schema", () => {
  for (const [text, value] of [
    ["{", []],
    ["5", []],
    ['["a", 1]', ["a"]],
  ] as const) {
    storage.setItem("words", text);
    assert.deepEqual(words().get(), value, text);
  }
  const theme = new Persisted("theme", (kept) => (kept === "dark" ? "dark" : "light"));
  assert.equal(theme.get(), "light");
  theme.set("dark");
  assert.deepEqual([theme.get(), storage.getItem("theme")], ["dark", "dark"], "a word is kept as it is");
});
