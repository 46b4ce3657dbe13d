import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_HISTORY, recorded, redone, undone } from "./use-sample-rows.ts";

test("states are undone and redone until something else changes", () => {
  const [a, b, c, d] = [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }];
  const after = recorded(recorded(EMPTY_HISTORY, a), b);
  const first = undone(after, c);
  assert.equal(first?.state, b);
  const second = undone(first?.history ?? EMPTY_HISTORY, b);
  assert.equal(second?.state, a);
  assert.equal(undone(second?.history ?? EMPTY_HISTORY, a), undefined);
  assert.equal(redone(second?.history ?? EMPTY_HISTORY, a)?.state, b);
  assert.equal(redone(recorded(second?.history ?? EMPTY_HISTORY, d), d), undefined);
});
