import assert from "node:assert/strict";
import { it } from "node:test";
import { IndexedHeap } from "./indexed-heap.ts";

interface Entry {
  readonly name: number;
  rank: number;
}

it("a heap returns its entries in order after any additions, moves and removals", () => {
  const heap = new IndexedHeap<Entry>((a, b) => (a.rank === b.rank ? a.name < b.name : a.rank < b.rank));
  const entries = Array.from({ length: 500 }, (_, name) => ({ name, rank: (name * 7919) % 101 }));
  for (const entry of entries) heap.place(entry);
  for (const entry of entries) {
    if (entry.name % 3 !== 0) continue;
    entry.rank = (entry.name * 31) % 97;
    heap.place(entry);
  }
  const left = entries.filter(({ name }) => name % 5 !== 0);
  for (const entry of entries) if (entry.name % 5 === 0) heap.remove(entry);
  assert.equal(heap.size, left.length);
  const order: Entry[] = [];
  for (let first = heap.first; first !== undefined; first = heap.first) {
    order.push(first);
    heap.remove(first);
  }
  assert.deepEqual(
    order,
    left.toSorted((a, b) => a.rank - b.rank || a.name - b.name),
  );
});

it("removing a missing entry has no effect", () => {
  const heap = new IndexedHeap<number>((a, b) => a < b);
  heap.place(1);
  heap.remove(2);
  assert.deepEqual([heap.size, heap.first], [1, 1]);
});
