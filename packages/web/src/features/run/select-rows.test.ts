import assert from "node:assert/strict";
import { test } from "node:test";
import { toggled, withAll, withRange } from "./select-rows.ts";

test("rows are selected one by one, by range and all at once", () => {
  const names = ["a", "b", "c", "d"];
  const one = toggled(new Set(), "b");
  assert.deepEqual([...one], ["b"]);
  assert.deepEqual([...toggled(one, "b")], []);
  assert.deepEqual([...withRange(one, names, 3, 2)], ["b", "c", "d"]);
  assert.deepEqual([...withAll(one, ["a", "b"])], ["b", "a"]);
  // A second time, none of those that are shown; what the filter hides stays selected.
  assert.deepEqual([...withAll(new Set(["a", "b", "z"]), ["a", "b"])], ["z"]);
});
