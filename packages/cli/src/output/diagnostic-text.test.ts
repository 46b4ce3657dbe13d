import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnosticText } from "./diagnostic-text.ts";

const HERE = "file:///here/a%20b.cwl";
const WRONG = { severity: "error", code: "x", message: "wrong", file: HERE, hint: "try" } as const;

const CASES: readonly (readonly [name: string, text: string, line: number, column: number, shown: string[]])[] = [
  ["a line and a caret", "a: 1\nb: 2\n", 2, 4, ["  b: 2", "     ^"]],
  ["Windows line ends", "a: 1\r\nb: 2\r\n", 2, 1, ["  b: 2", "  ^"]],
  ["tabs as one column", '{\n\t"a": 1}', 2, 2, ['   "a": 1}', "   ^"]],
  ["nothing of an empty line", "a: 1\n\n", 2, 1, []],
  [
    "a part of a long line",
    `${"x".repeat(500)}!${"y".repeat(500)}`,
    1,
    501,
    [`  …${"x".repeat(60)}!${"y".repeat(59)}…`, `  ${" ".repeat(61)}^`],
  ],
];

for (const [name, text, line, column, shown] of CASES)
  test(`diagnosticText shows ${name}`, () => {
    const expected = [`a b.cwl:${line}:${column}: error: wrong`, ...shown, "  hint: try"];
    const printed = diagnosticText({ ...WRONG, line, column }, [{ uri: HERE, text }], "/here");
    assert.deepEqual(printed.split("\n"), expected);
  });

test("diagnosticText names files in messages as paths, and those elsewhere in full", () => {
  const place = { file: "file:///else/where.cwl", line: 1, column: 1 };
  const warning = { severity: "warning", code: "x", message: `nothing at ${HERE}`, ...place } as const;
  assert.equal(diagnosticText(warning, [], "/here"), "/else/where.cwl:1:1: warning: nothing at a b.cwl");
});
