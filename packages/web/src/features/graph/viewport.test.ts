import assert from "node:assert/strict";
import { test } from "node:test";
import { centreOn, firstView, fitTo, reveal, visiblePart, zoomAt } from "./viewport.ts";

test("zoomAt keeps the point under the cursor", () => {
  const before = { x: 10, y: 20, scale: 1 };
  const after = zoomAt(before, { x: 110, y: 220 }, 2);
  assert.deepEqual(after, { x: -90, y: -180, scale: 2 });
  assert.equal(zoomAt(before, { x: 0, y: 0 }, 1000).scale, 2.5);
  assert.equal(zoomAt(before, { x: 0, y: 0 }, 0.0001).scale, 0.02);
});

test("fitTo centres and never enlarges", () => {
  assert.deepEqual(fitTo({ width: 100, height: 100 }, { width: 500, height: 300 }), { x: 200, y: 100, scale: 1 });
  const large = fitTo({ width: 2000, height: 100 }, { width: 1048, height: 600 });
  assert.equal(large.scale, 0.5);
  assert.equal(large.x, 24);
});

test("firstView shows the beginning of what would be too small to read", () => {
  const screen = { width: 348, height: 400 };
  assert.deepEqual(firstView({ width: 400, height: 100 }, screen), fitTo({ width: 400, height: 100 }, screen));
  assert.deepEqual(firstView({ width: 1400, height: 400 }, screen), { x: 24, y: 100, scale: 0.5 });
});

test("reveal moves no more than needed", () => {
  const view = { x: 0, y: 0, scale: 1 };
  const screen = { width: 400, height: 300 };
  assert.equal(reveal(view, { x: 50, y: 50, width: 100, height: 50 }, screen), view);
  assert.deepEqual(reveal(view, { x: 500, y: 50, width: 100, height: 50 }, screen), { x: -224, y: 0, scale: 1 });
  assert.deepEqual(reveal(view, { x: -50, y: -10, width: 100, height: 50 }, screen), { x: 74, y: 34, scale: 1 });
});

test("centreOn puts a box into the middle, readable", () => {
  const screen = { width: 400, height: 300 };
  const view = centreOn({ x: 0, y: 0, scale: 0.1 }, { x: 1000, y: 500, width: 200, height: 60 }, screen);
  assert.deepEqual(view, { x: -350, y: -115, scale: 0.5 });
  assert.deepEqual(visiblePart(view, screen), { x: 700, y: 230, width: 800, height: 600 });
});
