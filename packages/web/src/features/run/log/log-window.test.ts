import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anchorAt,
  lineHash,
  parseLineHash,
  scrollHeight,
  scrollTopOf,
  scrollTopOfAnchor,
  windowAround,
  windowAt,
} from "./log-window.ts";

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

test("wrapped lines begin and end with the box, and each can be reached", () => {
  assert.deepEqual(anchorAt(0, 600, 1000), { line: 0, share: 0, topPx: 0 });
  assert.deepEqual(anchorAt(20_000 - 600, 600, 1000), { line: 999, share: 1, topPx: 600 });
  for (const lines of [1000, 1_000_000])
    for (const line of [0, 1, lines / 2, lines - 1]) {
      const anchor = anchorAt(scrollTopOfAnchor(line, 600, lines), 600, lines);
      assert.equal(anchor.line, line);
      const { first, count } = windowAround(anchor, 600, lines);
      assert.ok(first <= line && line < first + count && first >= 0 && first + count <= lines, `${line} of ${lines}`);
    }
});

test("parseLineHash reads the lines that a link names", () => {
  const cases: [string, string | undefined][] = [
    ["#L10", "#L10"],
    ["#L10-L20", "#L10-L20"],
    ["#L20-L10", "#L10-L20"],
    ["#L10-20", "#L10-L20"],
    ["#L7-L7", "#L7"],
    ["#L0", undefined],
    ["#L", undefined],
    ["#x", undefined],
    ["", undefined],
  ];
  for (const [hash, expected] of cases) {
    const range = parseLineHash(hash);
    assert.equal(range && lineHash(range), expected, hash);
  }
});
