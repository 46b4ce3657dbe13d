import assert from "node:assert/strict";
import { test } from "node:test";
import { inputRecord, listOf } from "../../../testing/input-record.ts";
import { blockText, firstEmpty, pasted, placeFiles, readBlock, readHeader, textsOf } from "./edit-rows.ts";
import { portsOf } from "./grid-port.ts";
import { cellOfPointer, faultAfter, findFaults, readRows } from "./sample-rows.ts";

const INPUTS = [inputRecord("images", listOf("File")), inputRecord("ages", listOf("int"))];
const PORTS = portsOf(INPUTS);
const EMPTY = readRows(PORTS, {}, undefined);
const CORNER = { top: 0, bottom: 0, left: 0, right: 0 };
const uploaded = { class: "File", location: "weft-upload:1", basename: "b.nii" } as const;

function paste(block: readonly (readonly string[])[], range = CORNER, rows = EMPTY) {
  return pasted(rows, block, { ports: PORTS, inputs: INPUTS, known: new Map([["b.nii", uploaded]]), range });
}

const BLOCK_INPUTS = [inputRecord("images", listOf("File")), inputRecord("subjects", listOf("string"))];

test("reads pasted cells by their column, and files by the names of known files", () => {
  const { rows, range, note } = paste([
    ["s1", "/a.nii", "31"],
    ["s2", "b.nii", "old", "lost"],
  ]);
  assert.deepEqual(rows, {
    names: ["s1", "s2"],
    lists: [
      [{ class: "File", path: "/a.nii" }, uploaded],
      [31, "old"],
    ],
  });
  assert.deepEqual(range, { top: 0, bottom: 1, left: 0, right: 2 });
  assert.equal(note, "1 column beyond the last one ignored");
});

test("a header decides where columns go", () => {
  const { rows, note } = paste([
    ["age", "sex", "image"],
    ["31", "f", "/a.nii"],
  ]);
  assert.deepEqual(rows, { names: [""], lists: [[{ class: "File", path: "/a.nii" }], [31]] });
  assert.equal(note, "Matched columns: age → ages, image → images. Ignored: sex");
});

test("one cell fills the range, and a range is copied as text", () => {
  const { rows } = paste([["7"]], { top: 0, bottom: 2, left: 2, right: 2 });
  assert.deepEqual(rows.lists[1], [7, 7, 7]);
  assert.deepEqual(textsOf(rows, { top: 1, bottom: 9, left: 1, right: 2 }), [
    ["", "7"],
    ["", "7"],
  ]);
  assert.equal(firstEmpty(rows, { row: 1, column: 1 }), 1);
  assert.equal(firstEmpty(rows, { row: 0, column: 2 }), 3);
});

test("lists faults of types and of the last submission in reading order", () => {
  const { rows } = paste([
    ["", "/a.nii", "x"],
    ["", "", "3"],
  ]);
  const faults = findFaults(PORTS, rows, [
    { pointer: "/images/1/location", message: "A file is missing" },
    { pointer: "//sample name/1", message: "Row 1 has the same name" },
    { pointer: "/width", message: "of another field" },
  ]);
  assert.deepEqual(
    [...faults],
    [
      ["0 2", '"x" is not a whole number'],
      ["1 0", "Row 1 has the same name"],
      ["1 1", "A file is missing"],
    ],
  );
  assert.deepEqual(faultAfter(faults, { row: 0, column: 2 }), { row: 1, column: 0 });
  assert.deepEqual(faultAfter(faults, { row: 1, column: 1 }), { row: 0, column: 2 });
  assert.deepEqual(cellOfPointer(PORTS, "/ages"), { row: 0, column: 2 });
});

test("dropped files go to the cells that name them, and other files to the rows from the drop target on", () => {
  const named = [{ class: "File", path: "a.nii" }, uploaded, { class: "File", path: "/data/c.nii" }, null];
  assert.deepEqual(placeFiles(named, ["x.nii", "a.nii", "c.nii", "y.nii"], 0), [1, 0, 2, 3]);
  assert.deepEqual(placeFiles([], ["x", "y"], 4), [4, 5]);
});

test("readBlock distinguishes cells of a spreadsheet, CSV and lines", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "a\tb\r\nc\td\r\n": ["a|b", "c|d"],
    "a,b\nc,d": ["a|b", "c|d"],
    "a;b\nc;d\n": ["a|b", "c|d"],
    '"a, b",c\nd,e': ["a, b|c", "d|e"],
    "one, two": ["one, two"],
    "one, two\nthree": ["one, two", "three"],
    "a\t\n\tb": ["a|", "|b"],
    x: ["x"],
  };
  for (const [text, expected] of Object.entries(cases))
    assert.deepEqual(
      readBlock(text, 10).map((cells) => cells.join("|")),
      expected,
      text,
    );
});

test("a first line that names inputs is a header", () => {
  const cases: Readonly<Record<string, readonly (number | undefined)[] | undefined>> = {
    "subject image_path": [2, 1],
    "sample images": [0, 1],
    "images age": [1, undefined],
    "images age site": undefined,
    // The name of a file that resembles an input is a value.
    "image1 s1": undefined,
  };
  for (const [head, expected] of Object.entries(cases))
    assert.deepEqual(readHeader([head.split(" "), ["1", "2", "3"]], BLOCK_INPUTS)?.columns, expected, head);
  assert.equal(readHeader([["images"]], BLOCK_INPUTS), undefined);
});

test("blockText is read back unchanged", () => {
  const block = [
    ["a", 'say "x"'],
    ["two\nlines", "tab\there"],
  ];
  assert.deepEqual(readBlock(blockText(block), 10), block);
});
