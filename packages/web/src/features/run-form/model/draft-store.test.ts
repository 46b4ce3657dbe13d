import assert from "node:assert/strict";
import { test } from "node:test";
import { DraftStore, type Draft } from "./draft-store.ts";

/** The browser's storage in memory, with a bound. */
class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>();
  readonly #maxChars: number;

  constructor(maxChars = Number.POSITIVE_INFINITY) {
    this.#maxChars = maxChars;
  }

  get length(): number {
    return this.#items.size;
  }

  key = (place: number): string | null => [...this.#items.keys()][place] ?? null;
  getItem = (key: string): string | null => this.#items.get(key) ?? null;
  removeItem = (key: string): void => void this.#items.delete(key);
  clear = (): void => this.#items.clear();

  setItem = (key: string, value: string): void => {
    if (value.length > this.#maxChars) throw new DOMException("full", "QuotaExceededError");
    this.#items.set(key, value);
  };
}

function draft(value: unknown, minute = 0): Draft {
  return { values: { value }, samples: undefined, savedAt: new Date(minute * 60_000).toISOString() };
}

test("a draft is there until it is removed", () => {
  const store = new DraftStore(new MemoryStorage());
  store.write("network:a", draft(1));
  assert.deepEqual(store.read("network:a")?.values, { value: 1 });
  assert.equal(store.read("network:b"), undefined);
  store.remove("network:a");
  assert.equal(store.read("network:a"), undefined);
});

test("the twenty newest are kept, and nothing that is not a draft is touched", () => {
  const storage = new MemoryStorage();
  storage.setItem("weft-theme", "dark");
  const store = new DraftStore(storage);
  for (let n = 0; n < 30; n += 1) store.write(`f${n}`, draft(n, n));
  assert.equal(storage.length, 21);
  assert.equal(storage.getItem("weft-theme"), "dark");
  assert.equal(store.read("f9"), undefined);
  assert.deepEqual(store.read("f10")?.values, { value: 10 });
});

test("a full store and foreign text do no harm", () => {
  const storage = new MemoryStorage(200);
  const store = new DraftStore(storage);
  store.write("f", draft("old"));
  store.write("f", draft("x".repeat(300)));
  assert.equal(store.read("f"), undefined);
  for (const text of ["", "{", "[]", '{"values": 1}']) {
    storage.setItem("weft-draft:g", text);
    assert.equal(store.read("g"), undefined, text);
  }
});
