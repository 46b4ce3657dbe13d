import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ArraySize } from "./batch-tasks.ts";

describe("the size of arrays", () => {
  it("is halved by a bound of the site, and stays so", () => {
    const size = new ArraySize(500);
    size.refused(300, true);
    assert.equal(size.now, 150);
    size.accepted();
    assert.equal(size.now, 150);
  });

  it("grows again after a bound on jobs that wait", () => {
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

  it("is one task at least", () => {
    const size = new ArraySize(2);
    size.refused(1, true);
    assert.equal(size.now, 1);
  });
});
