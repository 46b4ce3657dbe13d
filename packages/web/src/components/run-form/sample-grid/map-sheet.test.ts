import assert from "node:assert/strict";
import { test } from "node:test";
import { inputRecord as input, listOf as list, optional } from "../../../testing/input-record.ts";
import { type SampleSheet, filesByName, guessMapping, mapSheet, readSheet } from "./map-sheet.ts";
import { columnInputs } from "./scattered-inputs.ts";

const inputs = [
  input("images", list("File"), { label: "Scans" }),
  input("age", list(optional({ kind: "int" }))),
  input("smooth", list("boolean")),
  input("group", optional(list({ kind: "enum", symbols: ["case", "control"] }))),
  input("width", "float"),
  input("nested", list(list("int"))),
];

function sheetOf(text: string): SampleSheet {
  const reading = readSheet(text);
  assert.ok("sheet" in reading, JSON.stringify(reading));
  return reading.sheet;
}

test("readSheet finds the separator and refuses text that is not a table", () => {
  for (const text of ["a,b\n1,2\n", "a\tb\r\n1\t2", "\uFEFFa;b\n1;2\n\n"])
    assert.deepEqual(sheetOf(text), { columns: ["a", "b"], rows: [{ number: 2, cells: ["1", "2"] }] });
  const faults: [string, string][] = [
    ["", "The first row must contain column names."],
    ["a,b", "The sheet has a header row but no data."],
    ["a,,c\n1,2,3", "Column 2 has no name in the first row."],
    ["a,a\n1,2", 'Duplicate column name "a".'],
    ["a,b\n1,2\n\n1\n", "Row 4 has 1 cells; expected 2."],
    [`a\n${"x\n".repeat(10_001)}`, "The sheet has more than 10000 rows."],
  ];
  for (const [text, fault] of faults) assert.deepEqual(readSheet(text), { fault });
});

test("columnInputs are lists of values that fit into a cell", () => {
  const ids = columnInputs(inputs).map(({ id }) => id);
  assert.deepEqual(ids, ["images", "age", "smooth", "group"]);
});

test("guessMapping compares ids and labels", () => {
  assert.deepEqual(guessMapping(sheetOf("Subject,scans,Age,images,note\na,b,1,c,d"), inputs), {
    inputs: ["", "images", "age", "", ""],
    nameColumn: 0,
  });
});

test("a column matches a name in singular or plural, and a cell the name of an uploaded file", () => {
  const sheet = sheetOf("ages,image\n3,a.nii\n4,/data/b.nii\n");
  const mapping = guessMapping(sheet, inputs);
  assert.deepEqual(mapping.inputs, ["age", "images"]);
  assert.deepEqual(guessMapping(sheetOf("ages,age\n1,2"), inputs).inputs, ["", "age"]);
  const uploaded = { class: "File", basename: "a.nii", location: "weft-upload:1/a.nii" } as const;
  const files = filesByName({ images: [uploaded], other: { class: "File", path: "/x/twice.nii" }, more: [] });
  const { lists } = mapSheet(sheet, mapping, { inputs, files });
  const [first, second] = lists["images"] ?? [];
  assert.partialDeepStrictEqual(first, { location: uploaded.location });
  assert.partialDeepStrictEqual(second, { path: "/data/b.nii" });
  const twice = { class: "File", path: "/y/a.nii" };
  assert.equal(filesByName({ images: [uploaded, twice] }).has("a.nii"), false);
});

test("mapSheet converts cells and names problems by row and column", () => {
  const sheet = sheetOf("id,images,age,smooth,group\ns1,/data/1.nii,34,yes,case\ns2,weft-data://c/2.nii,,no,control\n");
  const { lists, samples, problems } = mapSheet(sheet, guessMapping(sheet, inputs), { inputs });
  assert.deepEqual(problems, []);
  assert.deepEqual(samples, ["s1", "s2"]);
  const { images, ...others } = lists;
  assert.deepEqual(others, { age: [34, null], smooth: [true, false], group: ["case", "control"] });
  assert.equal(images?.length, 2);
  const wrong = sheetOf("id,images,age,group\ns1,,old,case\ns1,/b,3,none\n,/c,3,case");
  const found = mapSheet(wrong, guessMapping(wrong, inputs), { inputs }).problems;
  assert.deepEqual(
    found.map(({ row, column, message }) => `${row} ${column}: ${message}`),
    [
      "2 images: Enter a value",
      '2 age: "old" is not a whole number',
      '3 id: Duplicate sample name "s1" (also in row 2)',
      '3 group: "none" is not one of case, control',
      "4 id: The sample has no name",
    ],
  );
});

test("lists keep the order of the sheet, regardless of sample names", () => {
  const sheet = sheetOf("id,age\n10,1\nx,2\n9,3");
  const { lists, samples } = mapSheet(sheet, guessMapping(sheet, inputs), { inputs });
  assert.deepEqual(samples, ["10", "x", "9"]);
  assert.deepEqual(lists["age"], [1, 2, 3]);
});

test("files of a sheet get the only format of their input", () => {
  const nifti = "http://edamontology.org/format_4001";
  const withFormat = [input("images", list("File"), { format: [nifti] })];
  const { lists } = mapSheet(
    sheetOf("images\n/data/a.nii\n"),
    { inputs: ["images"], nameColumn: undefined },
    { inputs: withFormat },
  );
  assert.deepEqual(lists["images"], [{ class: "File", path: "/data/a.nii", format: nifti }]);
});
