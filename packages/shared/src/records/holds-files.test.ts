import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsFiles, type TypeShape } from "./holds-files.ts";

const FILE: TypeShape = { kind: "File" };
const TEXT: TypeShape = { kind: "string" };

const CASES: readonly (readonly [name: string, type: TypeShape, holds: boolean])[] = [
  ["a file", FILE, true],
  ["a folder", { kind: "Directory" }, true],
  ["anything", { kind: "Any" }, true],
  ["a text", TEXT, false],
  ["a list of lists of files", { kind: "array", items: { kind: "array", items: FILE } }, true],
  ["a list of texts", { kind: "array", items: TEXT }, false],
  ["an optional file", { kind: "union", options: [{ kind: "null" }, FILE] }, true],
  ["an optional text", { kind: "union", options: [{ kind: "null" }, TEXT] }, false],
  ["a record with a file", { kind: "record", fields: [{ type: TEXT }, { type: FILE }] }, true],
  ["a record without", { kind: "record", fields: [{ type: TEXT }] }, false],
];

test("holdsFiles", async (t) => {
  for (const [name, type, holds] of CASES) await t.test(name, () => assert.equal(holdsFiles(type), holds));
});
