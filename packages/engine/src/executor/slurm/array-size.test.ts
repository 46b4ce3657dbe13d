import assert from "node:assert/strict";
import { it } from "node:test";
import { ArraySize } from "./batch-tasks.ts";

it("the size of arrays is halved for good if the site limits it, and is at least one task", () => {
  const size = new ArraySize(500);
  for (const [refused, now] of [
    [300, 150],
    [1, 1],
  ] as const) {
    size.refused(refused, true);
    assert.equal(size.now, now);
    size.accepted();
    assert.equal(size.now, now);
  }
});

it("the size of arrays grows again if the site only limited the jobs in the queue", () => {
  const size = new ArraySize(100);
  size.refused(100, false);
  size.refused(50, false);
  const sizes = [size.now];
  for (let n = 0; n < 3; n++) {
    size.accepted();
    sizes.push(size.now);
  }
  assert.deepEqual(sizes, [25, 50, 100, 100]);
});
