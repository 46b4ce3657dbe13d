import assert from "node:assert/strict";
import { test } from "node:test";
import { pairSources } from "./pair-sources.ts";

test("files are paired by name, and those of one version alone are kept", () => {
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
