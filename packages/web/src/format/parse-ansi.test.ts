import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAnsi } from "./parse-ansi.ts";

test("parseAnsi", () => {
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
  ];
  for (const [line, runs] of cases) {
    assert.deepEqual(
      parseAnsi(line),
      runs.map(([text, ...styles]) => ({ text, styles })),
    );
  }
});
