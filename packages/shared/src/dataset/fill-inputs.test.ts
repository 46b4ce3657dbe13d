import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlTypeRecord } from "../records/cwl-type.ts";
import type { QueryResult } from "../records/dataset-record.ts";
import { fillInputs } from "./fill-inputs.ts";

const listOf = (kind: "string" | "File" | "int"): CwlTypeRecord => ({ kind: "array", items: { kind } });
const optional = (type: CwlTypeRecord): CwlTypeRecord => ({ kind: "union", options: [{ kind: "null" }, type] });
const input = (id: string, type: CwlTypeRecord) => ({ id, type });

function samplesOf(columns: readonly Readonly<Record<string, unknown>>[]): Pick<QueryResult, "samples"> {
  const samples = columns.map((own, number) => ({ name: `sub-0${number + 1}`, columns: own }));
  return { samples };
}

const TWO = samplesOf([
  { images: "a", age: "61" },
  { images: "b", age: "75" },
]);

test("columns fill the inputs that have their names, converted to their types", () => {
  const { inputs, samples, problems } = fillInputs(TWO, [input("images", listOf("File")), input("age", listOf("int"))]);
  assert.deepEqual(inputs, { images: ["a", "b"], age: [61, 75] });
  assert.deepEqual(samples, { images: ["sub-01", "sub-02"], age: ["sub-01", "sub-02"] });
  assert.deepEqual(problems, []);
});

test("a list of names of the samples is filled with them, unless a column fills it", () => {
  for (const id of ["subjects", "samples", "sample_ids", "subject_names"]) {
    const { inputs } = fillInputs(TWO, [input("images", listOf("File")), input(id, optional(listOf("string")))]);
    assert.deepEqual(inputs[id], ["sub-01", "sub-02"], id);
  }
  const subjects = input("subjects", listOf("string"));
  const own = samplesOf([{ images: "a", subjects: "X" }]);
  assert.deepEqual(fillInputs(own, [input("images", listOf("File")), subjects]).inputs["subjects"], ["X"]);
  assert.equal(fillInputs(samplesOf([]), [subjects]).inputs["subjects"], undefined);
  for (const other of [
    input("subjects", listOf("File")),
    input("subject", { kind: "string" }),
    input("titles", listOf("string")),
  ])
    assert.equal(fillInputs(TWO, [input("images", listOf("File")), other]).inputs[other.id], undefined);
});

test("a column without an input, and several samples for one value, are problems", () => {
  const { inputs, problems } = fillInputs(TWO, [input("age", { kind: "int" })]);
  assert.deepEqual(inputs, {});
  assert.deepEqual(problems, [
    { column: "images", detail: 'there is no input "images"; the inputs are age' },
    { column: "age", detail: '"age" takes one value, and the query returns 2 samples' },
  ]);
});
