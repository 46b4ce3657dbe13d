import assert from "node:assert/strict";
import { test } from "node:test";
import type { GridPort } from "./grid-port.ts";
import {
  derivedName,
  readRows,
  withBlock,
  withColumns,
  withCopies,
  withEmptyRows,
  withFillDown,
  withoutCells,
  withoutRows,
  writeRows,
  type SampleRows,
} from "./sample-rows.ts";

const port = (id: string, isRequired = true): GridPort => ({
  id,
  label: id,
  isRequired,
  items: { kind: "string" },
  fileKind: undefined,
  formats: [],
  choices: [],
});
const PORTS = [port("a"), port("b", false)];

const ROWS: SampleRows = {
  names: ["x", "", "z"],
  lists: [
    ["a1", "a2", "a3"],
    ["b1", "b2", "b3"],
  ],
};

/** Each row as one text, for short expectations. */
function lines({ names, lists }: SampleRows): readonly string[] {
  return names.map((name, row) => [name, ...lists.map((list) => String(list[row]))].join(" "));
}

test("lists of the form are read as rows and written back", () => {
  const rows = readRows(PORTS, { a: ["1", "2"], b: ["3"] }, undefined);
  assert.deepEqual(lines(rows), [" 1 3", " 2 null"]);
  assert.deepEqual(writeRows(PORTS, rows), { lists: { a: ["1", "2"], b: ["3", null] }, samples: undefined });
  const samples = { names: ["p", "q"], lists: { a: ["1", "2"] } };
  const named = readRows(PORTS, { a: ["1", "2"] }, samples);
  assert.deepEqual(lines(named), ["p 1 null", "q 2 null"]);
  // A list that may be left out and has no value is left out.
  assert.deepEqual(writeRows(PORTS, named), { lists: { a: ["1", "2"], b: undefined }, samples });
  assert.deepEqual(lines(readRows(PORTS, { a: ["2", "1"] }, samples)), [" 2 null", " 1 null"]);
  assert.deepEqual(writeRows(PORTS, readRows(PORTS, {}, undefined)).lists, { a: undefined, b: undefined });
});

test("edits of cells and rows", () => {
  const all = { top: 0, bottom: 2, left: 0, right: 2 };
  const cases: Readonly<Record<string, readonly [SampleRows, readonly string[]]>> = {
    "a block inside": [withBlock(ROWS, { row: 1, column: 1 }, [["n", "m"]]), ["x a1 b1", " n m", "z a3 b3"]],
    "a block that grows the rows, and is too wide": [
      withBlock(ROWS, { row: 2, column: 2 }, [["n", "lost"], ["m"]]),
      ["x a1 b1", " a2 b2", "z a3 n", " null m"],
    ],
    "fill down": [withFillDown(ROWS, { ...all, left: 1, right: 1 }), ["x a1 b1", " a1 b2", "z a1 b3"]],
    "fill one row from above": [
      withFillDown(ROWS, { top: 1, bottom: 1, left: 2, right: 2 }),
      ["x a1 b1", " a2 b1", "z a3 b3"],
    ],
    "fill the first row": [withFillDown(ROWS, { top: 0, bottom: 0, left: 2, right: 2 }), lines(ROWS)],
    clear: [withoutCells(ROWS, { top: 0, bottom: 1, left: 0, right: 1 }), [" null b1", " null b2", "z a3 b3"]],
    remove: [withoutRows(ROWS, (row) => row === 1), ["x a1 b1", "z a3 b3"]],
    add: [withEmptyRows(ROWS, 1, 1), ["x a1 b1", " null null", " a2 b2", "z a3 b3"]],
    copy: [withCopies(ROWS, { ...all, bottom: 0 }), ["x a1 b1", " a1 b1", " a2 b2", "z a3 b3"]],
    import: [withColumns(ROWS, PORTS, { lists: { a: ["n"] }, names: ["s"] }), ["s n b1"]],
  };
  for (const [name, [rows, expected]] of Object.entries(cases)) assert.deepEqual(lines(rows), expected, name);
  assert.deepEqual(lines(ROWS), ["x a1 b1", " a2 b2", "z a3 b3"]);
});

test("derivedName equals the name that the server derives", () => {
  const ports = [port("images"), port("subject")];
  const file = { class: "File", path: "/x/sub-01.nii.gz" };
  assert.equal(derivedName({ names: [""], lists: [[file], [null]] }, ports, 0), "sub-01");
  assert.equal(derivedName({ names: [""], lists: [[file], ["first"]] }, ports, 0), "first");
});
