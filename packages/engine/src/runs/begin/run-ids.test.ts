import assert from "node:assert/strict";
import { it } from "node:test";
import { RunIds } from "./run-ids.ts";

it("each id is greater than the previous ones, even if the clock is changed", () => {
  const ids = new RunIds(undefined);
  const made = [1000, 1000, 2000, 50, 2000, 1_000_000, 3].map((wallMs) => ids.next(wallMs));
  assert.deepEqual(made, made.toSorted());
  assert.equal(new Set(made).size, made.length);
  for (const id of made) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it("continues after the last number of an earlier server", () => {
  const newest = new RunIds(undefined).next(5000);
  const ids = new RunIds(newest);
  assert.ok(ids.next(4000) > newest);
  const later = ids.next(6000);
  assert.ok(ids.next(10) > later);
  assert.ok(newest.startsWith("00000000-1388-7"));
});
