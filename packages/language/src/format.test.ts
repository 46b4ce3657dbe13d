import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { formatDocument } from "./format.ts";

const CASES: Readonly<Record<string, readonly [text: string, expected: string]>> = {
  "indentation, comments and order": [
    "# top\na:\n    # of b\n    b: 1   \n    c:\n        - x\n        -   y: 1\n            z: 2 # end\nd: 3",
    "# top\na:\n  # of b\n  b: 1\n  c:\n    - x\n    - y: 1\n      z: 2 # end\nd: 3\n",
  ],
  "a list in the column of its key": ["a:\n- 1\n- b: 2\n  c: 3\nd: 4\n", "a:\n  - 1\n  - b: 2\n    c: 3\nd: 4\n"],
  "a block of text keeps its inner spaces": [
    "a:\n    b: |\n        one\n          two   \n\n\n        three\n    c: 1\n",
    "a:\n  b: |\n      one\n        two   \n\n\n      three\n  c: 1\n",
  ],
  "empty lines": ["a: 1\n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"],
  "Windows line ends": ["a:\r\n    b: 1\r\n", "a:\n  b: 1\n"],
  "flow collections of several lines": [
    "a:\n    b: {x: 1,\n        y: 2}\nc: 1\n",
    "a:\n  b: {x: 1,\n    y: 2}\nc: 1\n",
  ],
  "text that is not YAML": ["a: [\n", "a: [\n"],
};

describe("formatting", () => {
  for (const [name, [text, expected]] of Object.entries(CASES))
    test(name, () => {
      assert.equal(formatDocument(text), expected);
      assert.equal(formatDocument(expected), expected, "again");
    });

  test("keeps the meaning and the comments of every shipped document", () => {
    const catalog = new URL("../../catalog/", import.meta.url);
    const names = readdirSync(catalog, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".cwl"));
    assert.ok(names.length > 0 && existsSync(catalog));
    for (const name of names) {
      const text = readFileSync(new URL(name, catalog), "utf8");
      const formatted = formatDocument(text);
      const comments = (source: string) => source.match(/#.*/g)?.map((comment) => comment.trimEnd()) ?? [];
      assert.deepEqual(comments(formatted), comments(text), name);
      assert.equal(formatDocument(formatted), formatted, name);
    }
  });
});
