import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "./load-document.ts";
import { memoryDocumentReader } from "./memory-document-reader.ts";
import { packDocument } from "./pack-document.ts";

const load = (files: { readonly [uri: string]: string }, reference: string) =>
  loadDocument(reference, { reader: memoryDocumentReader(files) });

const network = (root: string) => ({
  [`${root}/net/main.cwl`]: `cwlVersion: v1.2
class: Workflow
inputs: {x: {type: File, default: {class: File, location: ../data/x.txt}}}
outputs: []
steps:
  one: {run: ../tools/a/tool.cwl, in: {f: x}, out: []}
  two: {run: ../tools/b/tool.cwl, in: {f: x}, out: []}
  three: {run: {class: Operation, inputs: {f: File}, outputs: []}, in: {f: x}, out: []}
`,
  [`${root}/tools/a/tool.cwl`]:
    "cwlVersion: v1.0\nclass: CommandLineTool\ninputs: {f: {type: File, secondaryFiles: .bai}}\noutputs: {o: stdout}\n",
  [`${root}/tools/b/tool.cwl`]:
    "cwlVersion: v1.2\nclass: CommandLineTool\ninputs: {f: File}\noutputs: []\nbaseCommand: b\n",
});

test("packDocument writes one tool as one object, keys sorted", async () => {
  const text =
    "class: CommandLineTool\ncwlVersion: v1.2\ninputs: {b: string, a: 'int?'}\noutputs: {}\nbaseCommand: echo\n";
  const packed = packDocument(await load({ "file:///w/echo.cwl": text }, "file:///w/echo.cwl"));
  assert.equal(
    JSON.stringify(packed),
    '{"baseCommand":["echo"],"class":"CommandLineTool","cwlVersion":"v1.2","id":"echo",' +
      '"inputs":[{"id":"b","type":"string"},{"id":"a","type":["null","int"]}],"outputs":[]}',
  );
});

test("packDocument writes a network as a graph, and keeps tools with the same name apart", async () => {
  const packed = JSON.stringify(packDocument(await load(network("file:///r"), "file:///r/net/main.cwl")));
  const { $graph } = JSON.parse(packed);
  assert.equal($graph.map(({ id }: { id: string }) => id).join(" "), "main tool 2/tool");
  const found = $graph[0].steps.map(({ run }: { run: unknown }) => (typeof run === "string" ? run : "inline"));
  assert.deepEqual(found, ["#tool", "#2/tool", "inline"]);
  assert.deepEqual($graph[0].inputs[0].default, { class: "File", location: "../data/x.txt" });
  assert.deepEqual($graph[1].inputs[0].secondaryFiles, [{ pattern: ".bai" }]);
});

test("packDocument gives the same text wherever the folder is", async () => {
  const pack = async (root: string) => JSON.stringify(packDocument(await load(network(root), `${root}/net/main.cwl`)));
  assert.equal(await pack("file:///one/place"), await pack("file:///quite/an/other/folder"));
});

test("packDocument returns a packed document unchanged", async () => {
  const packed = JSON.stringify(packDocument(await load(network("file:///r"), "file:///r/net/main.cwl")));
  const reloaded = await load({ "file:///r/net/packed.cwl": packed }, "file:///r/net/packed.cwl");
  const shown = reloaded.diagnostics.filter(({ severity }) => severity === "error");
  assert.deepEqual(shown, []);
  assert.equal(JSON.stringify(packDocument(reloaded)), packed);
});

test("packDocument keeps prefixes and ontologies, because formats of input files may need them", async () => {
  const text = `cwlVersion: v1.2
class: Operation
$namespaces: {edam: "http://edamontology.org/"}
$schemas: [../edam.owl]
inputs: {x: {type: File, format: edam:format_2330}}
outputs: []
`;
  const owl = { "file:///r/edam.owl": "<rdf:RDF/>" };
  const loaded = await load({ "file:///r/net/a.cwl": text, ...owl }, "file:///r/net/a.cwl");
  const packed = JSON.stringify(packDocument(loaded));
  const reloaded = await load({ "file:///r/net/packed.cwl": packed, ...owl }, "file:///r/net/packed.cwl");
  assert.deepEqual(JSON.parse(packed).$schemas, ["../edam.owl"]);
  assert.deepEqual([reloaded.namespaces, reloaded.schemas], [loaded.namespaces, loaded.schemas]);
});

test("packDocument writes all processes in the newest of their versions", async () => {
  const files = {
    "file:///w/a.cwl":
      "cwlVersion: v1.0\nclass: Workflow\ninputs: []\noutputs: []\nsteps: {s: {run: b.cwl, in: [], out: []}}\n",
    "file:///w/b.cwl":
      "cwlVersion: v1.1\nclass: CommandLineTool\nrequirements: {WorkReuse: {enableReuse: false}}\nbaseCommand: date\ninputs: []\noutputs: []\n",
  };
  const packed = JSON.parse(JSON.stringify(packDocument(await load(files, "file:///w/a.cwl"))));
  const actual = [packed.cwlVersion, ...packed.$graph.map(({ cwlVersion }: { cwlVersion?: string }) => cwlVersion)];
  assert.deepEqual(actual, ["v1.1", undefined, undefined]);
  // Permissions that v1.0 grants by default are written out.
  assert.deepEqual(packed.$graph[0].hints, [
    { class: "LoadListingRequirement", loadListing: "deep_listing" },
    { class: "NetworkAccess", networkAccess: true },
  ]);
});

test("packDocument writes bindings only into the parameters of tools", async () => {
  const record =
    "{type: record, name: rec, inputBinding: {position: 1}, fields: {v: {type: string, inputBinding: {prefix: --a}}}}";
  const list = "{type: array, items: string, inputBinding: {prefix: -l}}";
  const files = {
    "file:///w/types.yml": record,
    "file:///w/a.cwl": `cwlVersion: v1.2
class: Workflow
requirements: {SchemaDefRequirement: {types: [{$import: types.yml}]}}
inputs: {r: "types.yml#rec", l: ${list}}
outputs: {o: {type: "types.yml#rec", outputSource: e/o}}
steps:
  t: {run: t.cwl, in: {r: r}, out: []}
  e: {run: {class: ExpressionTool, expression: "$({o: inputs.r})", inputs: {r: "types.yml#rec"}, outputs: {o: "types.yml#rec"}}, in: {r: r}, out: [o]}
`,
    "file:///w/t.cwl": `cwlVersion: v1.2
class: CommandLineTool
baseCommand: echo
requirements: {SchemaDefRequirement: {types: [{$import: types.yml}]}}
inputs: {r: "types.yml#rec"}
outputs: {o: {type: {type: record, fields: {f: {type: File, outputBinding: {glob: a}}}}}}
`,
  };
  const packed = JSON.parse(JSON.stringify(packDocument(await load(files, "file:///w/a.cwl"))));
  const [workflow, tool] = packed.$graph;
  assert.doesNotMatch(JSON.stringify([workflow.inputs, workflow.outputs, workflow.steps]), /Binding/);
  assert.match(JSON.stringify(workflow.requirements), /"inputBinding":\{"prefix":"--a"\}/);
  assert.match(JSON.stringify(tool.inputs), /"inputBinding":\{"prefix":"--a"\}/);
  assert.match(JSON.stringify(tool.outputs), /"outputBinding":\{"glob":\["a"\]\}/);
});

test("packDocument returns null if there is no document", async () => {
  assert.equal(packDocument(await load({}, "file:///w/a.cwl")), null);
});
