import assert from "node:assert/strict";
import { test } from "node:test";
import { markMatches, parseAnsi, plainLine } from "./parse-ansi.ts";

test("parseAnsi reads colors and styles", () => {
  const cases: [string, [string, ...string[]][]][] = [
    ["plain", [["plain"]]],
    ["", []],
    ["\x1b[31mred\x1b[0m rest", [["red", "red"], [" rest"]]],
    [
      "\x1b[1;32mok\x1b[39m bold",
      [
        ["ok", "bold", "green"],
        [" bold", "bold"],
      ],
    ],
    ["\x1b[2K\x1b[1Gtext", [["text"]]],
    ["\x1b]8;;http://x\x07link\x1b]8;;\x07", [["link"]]],
    ["10%\r50%\r100%\r", [["100%"]]],
    ["\x1b[93mwarn", [["warn", "yellow"]]],
    ["\x1b]8;;http://x\x1b\\link\x1b]8;;", [["link"]]],
    ["\x1bPq#payload\x1b\\shown", [["shown"]]],
    ["bell\x07 back\x08 \x9b31m nul\x00\ttab", [["bell back 31m nul\ttab"]]],
    ["safe\u202Eexe.txt", [["safe[U+202E]exe.txt"]]],
    ["\x1b[38;5;1mpalette\x1b[48;2;1;31;1mtrue", [["palette"], ["true"]]],
    ["\x1b[31;38;5;9;1mx", [["x", "bold"]]],
  ];
  for (const [line, runs] of cases) {
    assert.deepEqual(
      parseAnsi(line),
      runs.map(([text, ...styles]) => ({ text, styles })),
    );
  }
});

test("plainLine removes control sequences", () => {
  const cases: [string, string][] = [
    ["\x1b[31mer\x1b[1mror\x1b[0m", "error"],
    ["10%\rdone\r", "done"],
    ["a\u2066b", "a[U+2066]b"],
  ];
  for (const [line, text] of cases) assert.equal(plainLine(line), text);
});

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
