import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { blockText, readBlock, readHeader } from "./paste-block.ts";

const input = (id: string, kind: "File" | "string"): InputRecord => ({
  id,
  type: { kind: "array", items: { kind } },
  type_text: `${kind}[]`,
  required: true,
});
const INPUTS = [input("images", "File"), input("subjects", "string")];

test("readBlock tells cells of a spreadsheet, CSV and lines apart", () => {
  const cases: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    [
      "a\tb\r\nc\td\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a;b\nc;d\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      '"a, b",c\nd,e',
      [
        ["a, b", "c"],
        ["d", "e"],
      ],
    ],
    ["one, two", [["one, two"]]],
    ["one, two\nthree", [["one, two"], ["three"]]],
    [
      "a\t\n\tb",
      [
        ["a", ""],
        ["", "b"],
      ],
    ],
    ["x", [["x"]]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(readBlock(text, 10), expected, text);
});

test("a first line that names inputs is a header", () => {
  const cases: readonly (readonly [readonly string[], readonly (number | undefined)[] | undefined])[] = [
    [
      ["subject", "image_path"],
      [2, 1],
    ],
    [
      ["sample", "images"],
      [0, 1],
    ],
    [
      ["images", "age"],
      [1, undefined],
    ],
    [["images", "age", "site"], undefined],
    // The name of a file that resembles an input is a value.
    [["image1", "s1"], undefined],
  ];
  for (const [head, expected] of cases)
    assert.deepEqual(readHeader([head, ["1", "2", "3"]], INPUTS)?.columns, expected, head.join());
  assert.equal(readHeader([["images"]], INPUTS), undefined);
});

test("blockText is read back as it was", () => {
  const block = [
    ["a", 'say "x"'],
    ["two\nlines", "tab\there"],
  ];
  assert.deepEqual(readBlock(blockText(block), 10), block);
});
