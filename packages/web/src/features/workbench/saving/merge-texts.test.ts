import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mergeTexts } from "./merge-texts.ts";

const text = (letters: string) => [...letters].join("\n");

/** Letters are lines. The last texts: the merge, and in a conflict also with their lines and as the later base. */
const CASES: readonly (readonly [
  what: string,
  base: string,
  mine: string,
  theirs: string,
  merged: string | string[],
])[] = [
  ["changes on one side", "abc", "abc", "aXc", "aXc"],
  ["changes of different lines", "abcde", "Abcde", "abcdE", "AbcdE"],
  ["insertions and removals", "abcde", "axbcde", "abce", "axbce"],
  ["an insertion at the top, and a change below", "abc", "xabc", "aXc", "xaXc"],
  ["equal changes", "abc", "aXc", "aXc", "aXc"],
  ["changes of one line", "abc", "aXc", "aYc", ["aXc", "aYc", "abc"]],
  ["changes of neighboring lines", "abcd", "aXcd", "abYd", ["aXcd", "abYd", "abcd"]],
  ["insertions at one place", "ab", "aXb", "aYb", ["aXb", "aYb", "ab"]],
  ["a removal and a change of one line", "abc", "ac", "aYc", ["ac", "aYc", "abc"]],
  ["conflicts next to other changes", "abcdefg", "AbcXefg", "abcYefG", ["AbcXefG", "AbcYefG", "abcdefG"]],
  ["texts without a common line", "ab", "cd", "ef", ["cd", "ef", "ab"]],
];

describe("a merge", () => {
  for (const [what, base, mine, theirs, merged] of CASES)
    it(`keeps all lines after ${what}`, () => {
      const found = mergeTexts(text(base), text(mine), text(theirs));
      const [a = "", b = a, o = theirs] = [merged].flat();
      assert.deepEqual(found, {
        ...{ mine: text(a), theirs: text(b), base: text(o), isConflict: Array.isArray(merged) },
      });
    });

  it("takes moments, even if a large text has many equal lines", () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => (at % 3 === 0 ? `step ${at}` : "    out: [result]"));
    const [mine, theirs] = [lines.with(7, "mine"), lines.with(59_990, "theirs")];
    const { mine: merged, isConflict } = mergeTexts(lines.join("\n"), mine.join("\n"), theirs.join("\n"));
    assert.deepEqual([merged, isConflict], [mine.with(59_990, "theirs").join("\n"), false]);
    const other = lines.map((line) => `${line} of another text`);
    assert.equal(mergeTexts(lines.join("\n"), mine.join("\n"), other.join("\n")).isConflict, true);
  });
});
