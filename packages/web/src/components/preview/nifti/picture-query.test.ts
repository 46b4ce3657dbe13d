import assert from "node:assert/strict";
import { test } from "node:test";
import { TurnTaker } from "./picture-query.ts";

/** All microtasks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a limited number of tasks run at a time, the latest first, and canceled ones never", async () => {
  const turns = new TurnTaker(1);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const leave = new AbortController();
  const ask = (name: string, signal = new AbortController().signal) =>
    turns.take(signal, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  void ask("a");
  void ask("b");
  const left = assert.rejects(ask("c", leave.signal), { name: "AbortError" });
  void ask("d");
  leave.abort();
  await left;
  assert.deepEqual(begun, ["a"]);
  for (const name of ["a", "d", "b"]) {
    ends.get(name)?.();
    await settled();
  }
  assert.deepEqual(begun, ["a", "d", "b"]);
});

test("a task that fails makes way for the next", async () => {
  const turns = new TurnTaker(1);
  const { signal } = new AbortController();
  await assert.rejects(
    turns.take(signal, () => Promise.reject(new Error("broken"))),
    /broken/,
  );
  assert.equal(await turns.take(signal, async () => 1), 1);
});
