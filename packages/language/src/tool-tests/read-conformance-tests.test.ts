import assert from "node:assert/strict";
import { it } from "node:test";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { readConformanceTests } from "./read-conformance-tests.ts";

const URI = "file:///suite/tests.yml";

const SUITE = `
- id: first
  tool: t.cwl#main
  job: j.json
  output:
    any: Any
    f: {class: File, location: Any, size: 3, checksum: sha1$0000000000000000000000000000000000000000}
    d: {class: Directory, listing: [{class: File, location: a/b.txt, contents: x}]}
    l: [1, null]
- {$import: more.yml}
- {id: broken, output: {$import: nope.json}}
`;

it("reads a suite in the format of cwltest, with its imports", async () => {
  const reader = memoryDocumentReader({
    [URI]: SUITE,
    "file:///suite/more.yml": "- {id: '#bad', tool: u.cwl, should_fail: true}",
  });
  const { tests, diagnostics } = await readConformanceTests(URI, { reader });
  assert.deepEqual(diagnostics, []);
  const [first, bad, broken] = tests;
  const found = [first?.id, first?.tool, first?.job, first?.shouldFail];
  assert.deepEqual(found, ["first", "file:///suite/t.cwl#main", "file:///suite/j.json", false]);
  const kinds = first?.checks.map(({ path, expected }) => [
    path.map((one) => ("name" in one ? one.name : one.kind)).join("/"),
    expected.kind,
  ]);
  assert.deepEqual(kinds, [
    ["f", "class"],
    ["f", "size"],
    ["f", "checksum"],
    ["d", "class"],
    ["d/b.txt", "class"],
    ["d/b.txt", "basename"],
    ["d/b.txt", "contents"],
    ["l", "count"],
    ["l/item", "value"],
    ["l/item", "value"],
  ]);
  assert.deepEqual([bad?.id, bad?.tool, bad?.shouldFail], ["bad", "file:///suite/u.cwl", true]);
  assert.match(broken?.diagnostics.map(({ message }) => message).join("\n") ?? "", /nope\.json[^]*`tool` is missing/);
});

it("refuses values other than a list", async () => {
  const { tests, diagnostics } = await readConformanceTests(URI, { reader: memoryDocumentReader({ [URI]: "a: 1" }) });
  assert.deepEqual([tests.length, diagnostics.length], [0, 1]);
});
