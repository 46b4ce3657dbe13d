import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ArraySize } from "./batch-tasks.ts";

describe("the size of arrays", () => {
  it("is halved for good if the site limits the size of arrays", () => {
    const size = new ArraySize(500);
    size.refused(300, true);
    assert.equal(size.now, 150);
    size.accepted();
    assert.equal(size.now, 150);
  });

  it("grows again if the site only limited the jobs in the queue", () => {
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

  it("is at least one task", () => {
    const size = new ArraySize(2);
    size.refused(1, true);
    assert.equal(size.now, 1);
  });
});
