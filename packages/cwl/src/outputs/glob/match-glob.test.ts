import assert from "node:assert/strict";
import { test } from "node:test";
import { matchGlob } from "./match-glob.ts";

const CASES: readonly (readonly [pattern: string, matching: readonly string[], other: readonly string[]])[] = [
  ["*", ["a", "a.b"], ["", ".a"].slice(1)],
  [".*", [".a", ".a.b"], ["a"]],
  ["*.txt", ["a.txt", "a.txt.txt"], ["a.txt2", ".txt", "atxt"]],
  ["a*b*c", ["abc", "a1b2c", "abbcc"], ["ab", "acb"]],
  ["?", ["a", "\u00e4", "\u{1F600}"], ["", "ab"]],
  ["a?c", ["abc"], ["ac", "abbc"]],
  ["[abc]x", ["ax", "cx"], ["dx", "x"]],
  ["[a-c1-3]", ["b", "2"], ["d", "4", "-"]],
  ["[!a-c]", ["d"], ["b"]],
  ["[^a]", ["b"], ["a"]],
  ["[]]", ["]"], ["["]],
  ["[a-]", ["-", "a"], ["b"]],
  ["[a", ["[a"], ["a"]],
  ["a[1].txt", ["a1.txt", "a[1].txt"], ["a2.txt"]],
  ["\\*", ["*"], ["a"]],
  ["a\\", ["a\\"], ["a"]],
  ["a+(b)", ["a+(b)"], ["aab"]],
];
for (const [pattern, matching, other] of CASES) {
  test(pattern, () => {
    for (const name of matching) assert.equal(matchGlob(pattern, name), true, `${pattern} should match ${name}`);
    for (const name of other) assert.equal(matchGlob(pattern, name), false, `${pattern} should not match ${name}`);
  });
}

test("a pattern of many stars takes no exponential time", () => {
  assert.equal(matchGlob(`${"*a".repeat(50)}b`, "a".repeat(5000)), false);
});
