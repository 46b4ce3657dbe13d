import assert from "node:assert/strict";
import { test } from "node:test";
import { markMatches } from "./mark-matches.ts";
import { parseAnsi } from "./parse-ansi.ts";

test("markMatches", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["an error and an Error", "error", "an [error] and an [Error]"],
    ["errorerror", "error", "[error][error]"],
    ["er\u001B[31mror\u001B[0m here", "error", "[er][ror] here"],
    ["aaa", "aa", "[aa]a"],
    ["nothing", "x", "nothing"],
    ["all", "", "all"],
    ["", "x", ""],
    ["\u0130stanbul x", "x", "\u0130stanbul x"],
  ];
  for (const [line, q, marked] of cases)
    assert.equal(
      markMatches(parseAnsi(line), q)
        .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
        .join(""),
      marked,
    );
});
