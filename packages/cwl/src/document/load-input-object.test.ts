import assert from "node:assert/strict";
import { test } from "node:test";
import { loadInputObject } from "./load-input-object.ts";
import { memoryDocumentReader } from "./memory-document-reader.ts";

const load = (files: { readonly [uri: string]: string }) =>
  loadInputObject("file:///w/in.yml", { reader: memoryDocumentReader(files) });
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("loadInputObject makes locations absolute, and lists requirements next to the values", async () => {
  const { values, requirements, tool, diagnostics } = await load({
    "file:///w/in.yml": `$namespaces: {edam: "http://edamontology.org/"}
cwl:tool: net.cwl
cwl:requirements: [{class: WorkReuse, enableReuse: false}]
reads:
  - {class: File, path: "a b#1%.fq", format: edam:format_1930}
  - {class: File, location: a%20b.fq, secondaryFiles: [{class: File, location: ../x.bai}]}
folder: {class: Directory, listing: [{class: File, basename: l, contents: ""}]}
id: 3
more: {$import: more.json}
`,
    "file:///w/more.json": '{"f": {"class": "File", "location": "m.txt"}}',
  });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(requirements, [{ class: "WorkReuse", enableReuse: false }]);
  assert.equal(tool, "net.cwl");
  assert.deepEqual(plain(values), {
    reads: [
      { class: "File", location: "file:///w/a%20b%231%25.fq", format: "http://edamontology.org/format_1930" },
      { class: "File", location: "file:///w/a%20b.fq", secondaryFiles: [{ class: "File", location: "file:///x.bai" }] },
    ],
    folder: { class: "Directory", listing: [{ class: "File", basename: "l", contents: "" }] },
    id: 3,
    more: { f: { class: "File", location: "file:///w/m.txt" } },
  });
});

test("loadInputObject treats all keys as plain keys", async () => {
  const { values } = await load({ "file:///w/in.yml": "__proto__: {polluted: true}\n" });
  assert.deepEqual(Object.keys(values), ["__proto__"]);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

const REFUSALS: Readonly<Record<string, readonly [string | undefined, string | undefined]>> = {
  "no file": [undefined, "1:1 unreadable"],
  "a list": ["- a\n", "1:1 wrong-kind"],
  "a syntax error": ["a: [\n", "2:1 yaml-syntax"],
  "a File without a location": ["a: 1\nb: [{class: File}]\n", "2:5 invalid-file"],
  "a File whose name leaves its folder": [
    'a: 1\nb: [{class: File, basename: "../x", contents: ""}]\n',
    "2:29 invalid-file",
  ],
  "a secondary file whose name leaves its folder": [
    "a: {class: File, path: x, secondaryFiles: [{class: File, path: y, basename: ..}]}\n",
    "1:77 invalid-file",
  ],
  "a listing that is not a list": ["a: {class: Directory, listing: x}\n", "1:4 invalid-file"],
  "an unknown requirement by its full name": [
    '"https://w3id.org/cwl/cwl#requirements": {Foo: {}}\n',
    "1:43 unsupported-requirement",
  ],
  "an unknown requirement": ["cwl:requirements: {Foo: {}}\n", "1:20 unsupported-requirement"],
  "nothing at all": ["# none\n", undefined],
};

for (const [name, [text, expected]] of Object.entries(REFUSALS))
  test(`loadInputObject reads ${name}`, async () => {
    const { diagnostics } = await load(text === undefined ? {} : { "file:///w/in.yml": text });
    const [first] = diagnostics;
    assert.equal(first && `${first.line}:${first.column} ${first.code}`, expected);
  });
