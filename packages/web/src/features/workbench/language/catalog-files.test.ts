import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogReader, uriOfPath } from "./catalog-files.ts";

test("a document is read once, but a missing one again, because it may have been published", async () => {
  const texts = new Map([["a.cwl", "a"]]);
  const asked: string[] = [];
  const reader = catalogReader(async (path) => (asked.push(path), texts.get(path)));
  const read = async (path: string) => reader.read(uriOfPath(path));
  assert.deepEqual([await read("a.cwl"), await read("a.cwl"), await read("b.cwl")], ["a", "a", undefined]);
  texts.set("b.cwl", "b");
  assert.equal(await read("b.cwl"), "b");
  assert.deepEqual(asked, ["a.cwl", "b.cwl", "b.cwl"]);
});
