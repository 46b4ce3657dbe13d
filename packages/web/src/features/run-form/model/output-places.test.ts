import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { outputsWithFiles, suggestedPlaces } from "./output-places.ts";

function output(id: string, type: CwlTypeRecord) {
  return { id, type, type_text: "" };
}

const FILE: CwlTypeRecord = { kind: "File" };
const OUTPUTS = [
  output("table", FILE),
  output("count", { kind: "int" }),
  output("kind", { kind: "enum", symbols: ["File"] }),
  output("maybe", { kind: "union", options: [{ kind: "null" }, { kind: "Directory" }] }),
  output("nested", { kind: "array", items: { kind: "array", items: FILE } }),
  output("record", { kind: "record", fields: [{ name: "f", type: FILE }] }),
  output("numbers", { kind: "array", items: { kind: "float" } }),
  output("any", { kind: "Any" }),
];

test("outputs have a place where a file may be in them", () => {
  assert.deepEqual(
    outputsWithFiles(OUTPUTS).map(({ id }) => id),
    ["table", "maybe", "nested", "record", "any"],
  );
});

test("suggested places are of this run and of one output each", () => {
  assert.deepEqual(suggestedPlaces(OUTPUTS.slice(0, 1), "results"), {
    table: "vfs://results/{run_id}/{output}/{basename}",
  });
});
