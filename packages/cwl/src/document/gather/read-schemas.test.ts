import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "../load-document.ts";
import { readerOfTexts } from "../testing/reader-of-texts.ts";

const load = (schemas: string, files: { readonly [name: string]: string } = {}) => {
  const text = `cwlVersion: v1.2
$schemas: ${schemas}
$namespaces: {edam: "http://edamontology.org/"}
$graph: [{class: Operation, id: main, inputs: [], outputs: []}]
`;
  return loadDocument("file:///w/a.cwl", { reader: readerOfTexts({ "a.cwl": text, ...files }) });
};

test("a document returns its prefixes, and its ontologies apart from its sources", async () => {
  const files = { "edam.owl": "<rdf:RDF/>", "name.txt": "extra.ttl", "extra.ttl": "# nothing" };
  const loaded = await load("[edam.owl#ignored, {$include: name.txt}]", files);
  assert.deepEqual(loaded.diagnostics, []);
  assert.deepEqual([...loaded.namespaces], [["edam", "http://edamontology.org/"]]);
  assert.deepEqual(loaded.schemas, [
    { uri: "file:///w/edam.owl", text: "<rdf:RDF/>" },
    { uri: "file:///w/extra.ttl", text: "# nothing" },
  ]);
  assert.equal(loaded.sources.map(({ uri }) => uri).join(" "), "file:///w/a.cwl file:///w/name.txt");
});

const NOT_READ = "is not read: only files on this machine are";

/** `column: message`; each a warning in line 2. */
const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ["nothing", "null", []],
  ["a missing file", "none.owl", ["11: cannot read file:///w/none.owl"]],
  ["a web address", "[https://e.org/x.owl]", [`12: \`https://e.org/x.owl\` ${NOT_READ}`]],
  ["a file of another machine", "['file://host/x']", [`12: \`file://host/x\` ${NOT_READ}`]],
  ["an address that is not a path", "[a%2fb]", [`12: \`file:///w/a%2fb\` ${NOT_READ}`]],
  [
    "values that are not addresses",
    "[3, {}]",
    [
      "12: expected the address of an ontology, found the number 3",
      "15: expected the address of an ontology, found a map",
    ],
  ],
];
for (const [name, schemas, expected] of CASES) {
  test(`$schemas with ${name}`, async () => {
    const loaded = await load(schemas);
    const found = loaded.diagnostics.map(({ severity, code, message, line, column }) => {
      assert.deepEqual([severity, code, line], ["warning", "unreadable-schema", 2]);
      return `${column}: ${message.replace("$schemas: ", "")}`;
    });
    assert.deepEqual(found, expected);
    assert.deepEqual(loaded.schemas, []);
    assert.ok(loaded.process !== undefined);
  });
}
