import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutElements } from "./leave-out.ts";

const LISTS = [{ id: "images" }, { id: "ages" }];

test("elements are left out of all lists of the samples", () => {
  const values = { images: ["a", "b", "c"], ages: [1, 2, 3], others: [7, 8, 9] };
  assert.deepEqual(withoutElements(values, LISTS, [1]), { images: ["a", "c"], ages: [1, 3], others: [7, 8, 9] });
  for (const [indexes, lists] of [
    [[0, 1, 2], LISTS],
    [[3], LISTS],
    [[0], []],
    [[0], [{ id: "unknown" }]],
  ] as const)
    assert.equal(withoutElements(values, lists, indexes), undefined);
});
