import assert from "node:assert/strict";
import { test } from "node:test";
import { checkType } from "../../check/check-type.ts";
import { locateProblem } from "./locate-pointer.ts";

const TEXT = "reads:\n  - {class: File, path: a.fq}\n  - class: File\n    path: b.fq\na/b: 1\n";

const CASES: readonly (readonly [string, string | undefined])[] = [
  ["", "1:1"],
  ["/reads/0/path", "2:25"],
  ["/reads/1", "3:5"],
  ["/reads/1/path", "4:11"],
  ["/reads/7", "2:3"],
  ["/a~1b", "5:6"],
  ["/unknown", "1:1"],
];

for (const [pointer, expected] of CASES) {
  test(`locateProblem finds "${pointer}"`, () => {
    const place = locateProblem(TEXT, { pointer, message: "" });
    assert.equal(place && `${place.line}:${place.column}`, expected);
  });
}

test("locateProblem returns undefined for a text that is not YAML", () =>
  assert.equal(locateProblem("a: [", { pointer: "/a", message: "" }), undefined));

/** The way a number is written, and the value that a reader makes of it. */
const NUMBERS: readonly (readonly [string, number])[] = [
  ["007", 7],
  ["1.10", 1.1],
  ["1e5", 100_000],
  ["0x1F", 31],
  ["+5", 5],
  ["12345678901234567890123", 1.2345678901234568e22],
];
for (const [written, value] of NUMBERS) {
  test(`a hint repeats ${written} as the file has it`, () => {
    const text = `- a\n- ${written} # note\n`;
    const [problem] = checkType({ kind: "array", items: { kind: "string" } }, ["a", value], "");
    assert.ok(problem !== undefined);
    assert.doesNotMatch(problem.hint ?? "", /\d/);
    const { message, hint, line, column } = locateProblem(text, problem) ?? assert.fail();
    assert.equal(`${line}:${column} ${message}`, `2:3 expected string, found the number ${written}`);
    assert.equal(hint, `write it in quotes: "${written}"`);
  });
}
