import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "./load-document.ts";
import { asWorkflow, loadSoundDocument, plain, toolText, type SoundCases } from "./testing/load-sound-document.ts";
import { readerOfTexts, type Texts } from "./testing/reader-of-texts.ts";

const CASES: SoundCases = {
  "prefixes and extension fields": [
    {
      "a.cwl": toolText(`$namespaces: {edam: "http://edamontology.org/", s: "https://schema.org/"}
$schemas: [edam.owl]
s:author: {s:name: me}
doc: [one, two]
inputs: {a: {type: File, format: edam:format_2330}, b: {type: File, format: [$(inputs.a.format), edam:x]}}
outputs: []
`),
      "edam.owl": "<rdf:RDF/>",
    },
    ({ doc, inputs }) => [doc, ...inputs.map(({ format }) => format)],
    ["one\ntwo", ["http://edamontology.org/format_2330"], ["$(inputs.a.format)", "http://edamontology.org/x"]],
  ],
  "import, include and mixin": [
    {
      "a.cwl": toolText(`doc: {$include: doc/about.md}
requirements:
  InlineJavascriptRequirement: {expressionLib: [{$include: lib.js}]}
inputs: {$import: parts/inputs.yml}
outputs: []
`),
      "doc/about.md": "# About: {this}\n",
      "lib.js": "function f() {}",
      "parts/inputs.yml": "a: {$mixin: base.yml, label: own}\n",
      "parts/base.yml": "type: File\nlabel: theirs\ndefault: {class: File, path: d.txt}\n",
    },
    ({ doc, requirements, inputs }) => [doc, requirements, inputs[0]?.label, inputs[0]?.default],
    [
      "# About: {this}\n",
      [{ class: "InlineJavascriptRequirement", expressionLib: ["function f() {}"] }],
      "own",
      { class: "File", location: "file:///w/parts/d.txt" },
    ],
  ],
  "a process chosen from a graph": [
    "cwlVersion: v1.2\n$graph:\n- {class: Operation, id: x, inputs: [], outputs: []}\n- {class: Operation, id: '#main', inputs: [], outputs: []}\n",
    ({ id, name }) => [id, name],
    ["file:///w/a.cwl#x", "x"],
    "a.cwl#x",
  ],
  "#main if no process is chosen": [
    "cwlVersion: v1.2\n$graph:\n- {class: Operation, id: x, inputs: [], outputs: []}\n- {class: Operation, id: '#main', inputs: [], outputs: []}\n",
    ({ id }) => id,
    "file:///w/a.cwl#main",
  ],
  "v1.0 with its implicit features": [
    toolText(
      `hints: [{class: "cwltool:TimeLimit", timelimit: 5}, {class: "cwltool:LoadListingRequirement", loadListing: no_listing}]
inputs: {a: {type: File, secondaryFiles: [".bai?"], inputBinding: {loadContents: true}}}
outputs: []
`,
      "v1.0",
    ),
    ({ cwlVersion, hints, defaults, inputs: [input] }) => [
      cwlVersion,
      hints,
      defaults,
      input?.loadContents,
      input?.secondaryFiles,
    ],
    [
      "v1.0",
      [
        { class: "ToolTimeLimit", timelimit: 5 },
        { class: "LoadListingRequirement", loadListing: "no_listing" },
      ],
      [
        { class: "LoadListingRequirement", loadListing: "deep_listing" },
        { class: "NetworkAccess", networkAccess: true },
      ],
      true,
      [{ pattern: ".bai?" }],
    ],
  ],
};

for (const [name, [files, pick, expected, reference]] of Object.entries(CASES))
  test(`loadDocument reads ${name}`, async () =>
    assert.deepEqual(plain(pick(await loadSoundDocument(files, reference))), expected));

const NETWORK: Texts = {
  "net/main.cwl": `cwlVersion: v1.2
class: Workflow
id: main
requirements: [{class: ScatterFeatureRequirement}, {class: StepInputExpressionRequirement}]
inputs: {reads: "File[]", depth: int}
outputs:
  sorted: {type: "File[]", outputSource: "#main/sort/out"}
steps:
  sort:
    run: ../tools/sort.cwl
    scatter: reads
    in:
      reads: reads
      depth: {source: ["#main/depth"], valueFrom: "$(self[0])"}
    out: [out]
  count:
    in: {files: {source: sort/out, default: []}}
    out: [{id: n}]
    run: {class: Operation, inputs: {files: "File[]"}, outputs: {n: int}}
`,
  "tools/sort.cwl": toolText("inputs: {reads: File, depth: int?}\noutputs: {out: stdout}\n"),
};

test("loadDocument reads a network with its tools", async () => {
  const { steps, outputs, position } = asWorkflow(await loadSoundDocument(NETWORK, "net/main.cwl"));
  assert.deepEqual(outputs[0]?.outputSource, { source: ["sort/out"], sourceIsList: false });
  const [sort, count] = steps;
  assert.ok(sort !== undefined && count !== undefined);
  const found = [sort.run.id, sort.run.name, sort.runReference];
  assert.deepEqual(found, ["file:///w/tools/sort.cwl", "sort", "../tools/sort.cwl"]);
  const shown = [sort.scatter, sort.out, sort.in[1]?.source, sort.in[1]?.sourceIsList];
  assert.deepEqual(shown, [["reads"], ["out"], ["depth"], true]);
  const actual = [count.run.id, count.run.name, count.runReference];
  assert.deepEqual(actual, ["file:///w/net/main.cwl#main/count/run", "count", undefined]);
  assert.deepEqual([count.out, count.in[0]?.default], [["n"], []]);
  assert.deepEqual([position.line, sort.position.line, count.position.line], [1, 9, 16]);
});

test("loadDocument lists each document that it read once, the root first", async () => {
  const files: Texts = {
    "a.cwl":
      "cwlVersion: v1.2\nclass: Workflow\ndoc: {$include: d.md}\ninputs: []\noutputs: []\nsteps:\n  x: {run: t.cwl, in: [], out: []}\n  y: {run: t.cwl, in: [], out: []}\n",
    "t.cwl": toolText("inputs: []\noutputs: []\n"),
    "d.md": "hi",
  };
  const { sources } = await loadDocument("file:///w/a.cwl", { reader: readerOfTexts(files) });
  assert.deepEqual(
    sources,
    ["a.cwl", "d.md", "t.cwl"].map((name) => ({ uri: `file:///w/${name}`, text: files[name] })),
  );
});

test("loadDocument shares one process between the steps that run it", async () => {
  const step = "{run: t.cwl, in: [], out: []}";
  const network = `cwlVersion: v1.2\nclass: Workflow\ninputs: []\noutputs: []\nsteps:\n  x: ${step}\n  y: ${step}\n`;
  const { steps } = asWorkflow(
    await loadSoundDocument({ "a.cwl": network, "t.cwl": toolText("inputs: []\noutputs: []\n") }),
  );
  assert.equal(steps[0]?.run, steps[1]?.run);
});

test("loadDocument keeps a step whose tool is missing, with an Operation in its place", async () => {
  const network =
    "cwlVersion: v1.2\nclass: Workflow\ninputs: {i: int}\noutputs: []\nsteps:\n  x: {run: t.cwl, in: {a: i}, out: [o]}\n";
  const { process, diagnostics } = await loadDocument("file:///w/a.cwl", {
    reader: readerOfTexts({ "a.cwl": network }),
  });
  assert.equal(diagnostics.map(({ code }) => code).join(" "), "unreadable");
  assert.ok(process !== undefined);
  const [step] = asWorkflow(process).steps;
  const found = [step?.run.class, step?.run.inputs.map(({ id }) => id), step?.run.outputs.map(({ id }) => id)];
  assert.deepEqual(found, ["Operation", ["a"], ["o"]]);
});
