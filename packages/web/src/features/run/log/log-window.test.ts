import assert from "node:assert/strict";
import { test } from "node:test";
import { scrollHeight, scrollTopOf, windowAt } from "./log-window.ts";

test("a small log scrolls pixel by pixel", () => {
  assert.deepEqual(windowAt(0, 100, 50), { first: 0, count: 6, offsetPx: 0 });
  assert.deepEqual(windowAt(30, 100, 50), { first: 1, count: 6, offsetPx: 10 });
  assert.deepEqual(windowAt(900, 100, 50), { first: 45, count: 5, offsetPx: 0 });
  assert.deepEqual(windowAt(0, 100, 2), { first: 0, count: 2, offsetPx: 0 });
  assert.deepEqual(windowAt(0, 100, 0), { first: 0, count: 0, offsetPx: 0 });
});

test("every line of a very large log can be reached, and the ends are the ends", () => {
  const lines = 1_000_000;
  assert.equal(scrollHeight(lines), 8_000_000);
  assert.deepEqual(windowAt(8_000_000 - 600, 600, lines), { first: lines - 30, count: 30, offsetPx: 0 });
  for (const line of [0, 14, 15, 500_000, 999_970, 999_999]) {
    const { first, count } = windowAt(scrollTopOf(line, 600, lines), 600, lines);
    assert.ok(first <= line && line < first + count, String(line));
  }
});
