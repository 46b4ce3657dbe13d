/** Forms of real documents other than the plain one: packed, imported, older, written by other programs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Process } from "../model/process.ts";
import { loadDocument } from "./load-document.ts";
import { asWorkflow, loadSoundDocument, type SoundCases } from "./testing/load-sound-document.ts";
import { readerOfTexts } from "./testing/reader-of-texts.ts";
import { typeText } from "../model/type-text.ts";

const requirementOf = (process: Process, name: string) =>
  [...process.requirements, ...process.hints].find((requirement) => requirement.class === name);

const OPERATION = "class: Operation, inputs: {x: string}, outputs: {o: File}";
const TOOL = "cwlVersion: v1.0\nclass: CommandLineTool\nbaseCommand: a\ninputs: []\noutputs: []\n";

const CASES: SoundCases = {
  "the version as cwl:v1.0": [TOOL.replace("v1.0", "cwl:v1.0"), ({ cwlVersion }) => cwlVersion, "v1.0"],
  "the version as https://w3id.org/cwl/cwl#v1.0": [
    TOOL.replace("v1.0", "https://w3id.org/cwl/cwl#v1.0"),
    ({ cwlVersion }) => cwlVersion,
    "v1.0",
  ],
  "processes that a graph imports, by the name of the graph's document": [
    {
      "a.cwl": "cwlVersion: v1.2\n$graph: [{$import: t.cwl}, {$import: u.cwl}]\n",
      "t.cwl": `{cwlVersion: v1.2, id: main, ${OPERATION}}`,
      "u.cwl": `{cwlVersion: v1.2, id: other, ${OPERATION}}`,
    },
    ({ id }) => id,
    "file:///w/u.cwl#other",
    "a.cwl#other",
  ],
  "a packed document that imports parts of itself": [
    `cwlVersion: v1.2
$graph:
- {class: Operation, id: "#main", inputs: [{id: "#main/dir", type: Directory}], outputs: [{$import: "#main/dir"}],
   requirements: [{class: SchemaDefRequirement, types: [
     {name: "#t.yml/pair", type: record, fields: [{name: "#t.yml/pair/a", type: int}]}]}]}
- {class: Operation, id: "#tool", inputs: [{id: "#tool/p", type: "#t.yml/pair"}], outputs: [],
   requirements: [{class: SchemaDefRequirement, types: [{$import: "#t.yml/pair"}]}]}
`,
    ({ outputs }) => outputs.map(({ id, type }) => `${id}: ${typeText(type)}`),
    ["dir: Directory"],
  ],
  "steps whose processes have the same id": [
    `{cwlVersion: v1.2, class: Workflow, inputs: {x: string}, outputs: [], steps: {
        one: {run: {id: op, ${OPERATION}}, in: {x: x}, out: []},
        two: {run: {id: op, ${OPERATION}}, in: {x: x}, out: []},
        three: {run: {id: "#op", ${OPERATION}}, in: {x: x}, out: []}}}`,
    (process) => asWorkflow(process).steps.map(({ run }) => `${run.name} ${run.id.slice(15)}`),
    ["op #one/run/op", "op #two/run/op", "op #op"],
  ],
  "sizes as text in v1.0": [
    `${TOOL}requirements: {ResourceRequirement: {ramMin: "4000", coresMin: $(null)}}\n`,
    (process) => requirementOf(process, "ResourceRequirement"),
    { class: "ResourceRequirement", ramMin: 4000, coresMin: "$(null)" },
  ],
  "WorkReuse without fields": [
    `${TOOL.replace("v1.0", "v1.2")}requirements: {WorkReuse: {}}\n`,
    (process) => requirementOf(process, "WorkReuse"),
    { class: "WorkReuse", enableReuse: true },
  ],
  "bindings without meaning on a workflow of v1.0": [
    "{cwlVersion: v1.0, class: Workflow, inputs: {x: {type: File, inputBinding: {position: 1, loadContents: true}}}, outputs: [], steps: []}",
    ({ inputs }) => inputs.map(({ id, loadContents }) => [id, loadContents]),
    [["x", true]],
  ],
  "a line of three dashes at the end": [`---\n${TOOL}---\n`, ({ name }) => name, "a"],
  "a shebang line after a byte order mark, Windows line ends": [
    `\uFEFF#!/usr/bin/env cwl-runner\n${TOOL}`.replaceAll("\n", "\r\n"),
    ({ name }) => name,
    "a",
  ],
  "metadata of other programs, everywhere": [
    `${TOOL.replace("inputs: []", "inputs: {x: {type: string, sbg:x: 1, 's:y': {a: [1]}}}")}id: a\n$namespaces: {s: "http://s/", sbg: "http://sbg/", arv: "http://arv/"}\ns:author: [{class: s:Person, s:name: x}]\nsbg:links: {a: b}\n"http://e.org/x": 1\nhints: {"arv:RuntimeConstraints": {keep_cache: 1}}\n`,
    ({ inputs }) => inputs.map(({ id }) => id),
    ["x"],
  ],
  "an id on anything, and unknown directives": [
    `${TOOL}$mine: {a: 1}\nhints: [{class: ResourceRequirement, id: r1, ramMin: 10, $x: 1}]\n`,
    (process) => requirementOf(process, "ResourceRequirement"),
    { class: "ResourceRequirement", ramMin: 10 },
  ],
};

for (const [name, [files, pick, expected, reference]] of Object.entries(CASES))
  test(`loadDocument accepts ${name}`, async () =>
    assert.deepEqual(pick(await loadSoundDocument(files, reference)), expected));

test("loadDocument reads the ontologies of every document once", async () => {
  const files = {
    "a.cwl": `{cwlVersion: v1.2, $schemas: [x.owl], class: Workflow, inputs: {x: string}, outputs: [], steps: {
      one: {run: t.cwl, in: {x: x}, out: []}}}`,
    "t.cwl": `{cwlVersion: v1.2, $schemas: [x.owl, y.owl], ${OPERATION}}`,
    "x.owl": "<x/>",
    "y.owl": "<y/>",
  };
  const { schemas } = await loadDocument("file:///w/a.cwl", { reader: readerOfTexts(files) });
  assert.equal(schemas.map(({ text }) => text).join(" "), "<x/> <y/>");
});
