import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTags, tagsText } from "./tags-text.ts";

test("tagsText and parseTags", () => {
  const tags = { paper: "figure:2", checked: "", "two words": "a b" };
  assert.equal(tagsText(tags), "paper: figure:2\nchecked\ntwo words: a b");
  assert.deepEqual(parseTags(tagsText(tags)), { tags, problem: "" });
  assert.deepEqual(parseTags("  a :  b \r\n\n c:\n"), { tags: { a: "b", c: "" }, problem: "" });
  assert.deepEqual(parseTags("").tags, {});
  assert.deepEqual(Object.entries(parseTags("__proto__: x").tags), [["__proto__", "x"]]);
  const wrong: [string, RegExp][] = [
    [": b", /before the colon/],
    ["a: 1\na: 2", /a occurs twice/],
    ["k".repeat(65), /at most 64/],
    [`k: ${"v".repeat(257)}`, /more than 256/],
  ];
  for (const [text, problem] of wrong) assert.match(parseTags(text).problem, problem);
});
