import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogReader, uriOfPath } from "./catalog-files.ts";
import { DocumentLanguage } from "./document-language.ts";

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

test("a problem names a missing document by its path in the catalog", async () => {
  const reader = catalogReader(async () => undefined);
  const language = new DocumentLanguage(uriOfPath("networks/a/1.0.0/a.cwl"), reader, async () => []);
  const { problems } = await language.view(
    "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps: {one: {run: ../../b/b.cwl, in: {}, out: []}}\n",
  );
  assert.deepEqual(
    problems.map(({ message }) => message),
    ["steps.one.run: cannot read networks/b/b.cwl"],
  );
});
