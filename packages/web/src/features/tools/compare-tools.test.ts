import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputRecord, Tool } from "@weft/shared/records/process-record.ts";
import { toolRecord } from "../../testing/tool-record.ts";
import { compareTools, pairSources } from "./compare-tools.ts";

function input(id: string, type_text: string, more: Partial<InputRecord> = {}): InputRecord {
  return { id, type: { kind: "Any" }, type_text, required: false, ...more };
}

const SIGNS = { breaking: "! ", results: "~ ", compatible: "" };

test("compareTools", () => {
  const cases: [Partial<Tool>, Partial<Tool>, string[]][] = [
    [{}, {}, []],
    [{ inputs: [input("level", "float")] }, { inputs: [] }, ["! Input level was removed"]],
    [{ inputs: [] }, { inputs: [input("level", "float?")] }, ["Input level (float?) was added"]],
    [
      { inputs: [] },
      { inputs: [input("method", "string", { default: "otsu" })] },
      ['~ Input method (string) was added with the default "otsu"'],
    ],
    [
      { inputs: [] },
      { inputs: [input("level", "float", { required: true })] },
      ["! Input level (float) was added, required"],
    ],
    [
      { inputs: [input("level", "float", { default: 1 })] },
      { inputs: [input("level", "double", { default: 2, required: true })] },
      [
        "! Input level changed its type from float to double",
        "! Input level is now required",
        "~ The default of level changed from 1 to 2",
      ],
    ],
    [
      { inputs: [input("program", "File", { default: { class: "File", location: "1.0/run.sh" } })] },
      { inputs: [input("program", "File", { default: { class: "File", location: "2.0/run.sh" } })] },
      [],
    ],
    [{ outputs: [{ id: "mask", type: { kind: "File" }, type_text: "File" }] }, {}, ["! Output mask was removed"]],
    [{}, { container: { image: "x:2" } }, ["~ The container changed from none to x:2"]],
  ];
  for (const [older, newer, texts] of cases) {
    const found = compareTools(toolRecord(older), toolRecord(newer)).map(({ text, effect }) => SIGNS[effect] + text);
    assert.deepEqual(found, texts);
  }
});

test("files are paired by name, and files of only one version are kept", () => {
  const older = [
    { file: "tools/t/1.0.0/t.cwl", text: "a" },
    { file: "tools/t/1.0.0/types.yml", text: "b" },
  ];
  const newer = [
    { file: "tools/t/2.0.0/t.cwl", text: "c" },
    { file: "tools/t/2.0.0/extra.yml", text: "d" },
  ];
  assert.deepEqual(pairSources(older, newer), [
    { name: "t.cwl", before: "a", after: "c" },
    { name: "extra.yml", before: undefined, after: "d" },
    { name: "types.yml", before: "b", after: undefined },
  ]);
});

test("two single files are a pair whatever their names", () => {
  assert.deepEqual(pairSources([{ file: "1/old.cwl", text: "a" }], [{ file: "2/new.cwl", text: "b" }]), [
    { name: "new.cwl", before: "a", after: "b" },
  ]);
});
