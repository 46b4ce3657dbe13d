import assert from "node:assert/strict";
import { test } from "node:test";
import { TOOL, WORKFLOW, change, tool, reportedProblems, withTypes, workflow } from "./testing/reported-problems.ts";
import type { ReportCase } from "./testing/reported-problems.ts";

const GRAPH = (right = "inputs: []") => `cwlVersion: v1.2
$graph:
  - {class: Operation, id: left, inputs: [], outputs: []}
  - {class: Operation, id: right, outputs: [], ${right}}
`;

const CASES: readonly ReportCase[] = [
  { name: "no file", files: {}, expected: ["a.cwl:1:1 unreadable: nothing readable at a.cwl"] },
  { name: "an empty file", files: { "a.cwl": "" }, expected: ["a.cwl:1:1 empty-document: The document is empty"] },
  {
    name: "no process",
    files: { "a.cwl": "- a\n" },
    expected: ["a.cwl:1:1 wrong-kind: expected a process: a map with `class` or `$graph`, found a list"],
  },
  {
    name: "a syntax error, once",
    files: tool("inputs:\n", "inputs: [\n"),
    expected: [
      "a.cwl:6:1 yaml-syntax: This is not valid YAML: deficient indentation [a bracket or a quotation mark that was opened before this place is not closed]",
    ],
  },
  {
    name: "a misspelled field",
    files: tool("baseCommand", "baseComand"),
    expected: ["a.cwl:3:1 unknown-field: unknown field `baseComand` [did you mean `baseCommand`?]"],
  },
  {
    name: "a misspelled required field, reported from both sides",
    files: tool("outputs:", "output:"),
    expected: [
      "a.cwl:1:1 missing-field: the field `outputs` is missing [`output` on line 6 is not a field of this object]",
      "a.cwl:6:1 unknown-field: unknown field `output` [did you mean `outputs`?]",
    ],
  },
  {
    name: "keys that every JavaScript object has",
    files: tool("{type: string}", "{type: {type: array, items: int, __proto__: {a: 1}, constructor: 1}}"),
    expected: [
      "a.cwl:5:39 unknown-field: inputs.x.type: unknown field `__proto__` [expected one of type, name, label, doc, inputBinding, items]",
      "a.cwl:5:58 unknown-field: inputs.x.type: unknown field `constructor` [expected one of type, name, label, doc, inputBinding, items]",
    ],
  },
  {
    name: "an unknown class",
    files: tool("CommandLineTool", "Comandlinetool"),
    expected: [
      "a.cwl:2:8 unknown-class: class: there is no process class `Comandlinetool` [did you mean `CommandLineTool`?]",
    ],
  },
  {
    name: "a version without v",
    files: tool("v1.2", "1.2"),
    expected: ["a.cwl:1:13 unsupported-version: cwlVersion: CWL version `1.2` is not supported [write `v1.2`]"],
  },
  {
    name: "a future version",
    files: tool("v1.2", "v9"),
    expected: [
      "a.cwl:1:13 unsupported-version: cwlVersion: CWL version `v9` is not supported [expected one of v1.0, v1.1, v1.2]",
    ],
  },
  {
    name: "no version",
    files: tool("cwlVersion: v1.2\n", ""),
    expected: ["a.cwl:1:1 missing-field: the field `cwlVersion` is missing [add `cwlVersion: v1.2`]"],
  },
  {
    name: "inputs without value",
    files: tool("inputs:\n  x: {type: string}\n", "inputs:\n"),
    expected: ["a.cwl:4:1 wrong-kind: inputs: expected a list or a map, found nothing [write `[]` for none]"],
  },
  {
    name: "a wrong kind of value on line 12 of a longer document",
    files: { "a.cwl": `${TOOL}doc: |\n  Says it.\n  Twice.\nlabel: echo\nsuccessCodes: zero\nstdout: o.txt\n` },
    expected: ['a.cwl:12:15 wrong-kind: successCodes: expected a list, found the text "zero"'],
  },
  {
    name: "a number where text belongs",
    files: { "a.cwl": `${TOOL}requirements:\n  DockerRequirement:\n    dockerPull: 1.10\n` },
    expected: [
      "a.cwl:10:17 wrong-kind: requirements.DockerRequirement.dockerPull: expected text, found the number 1.10 [put it in quotation marks]",
    ],
  },
  {
    name: "a misspelled type",
    files: tool("string", "strnig"),
    expected: ["a.cwl:5:13 unknown-type: inputs.x.type: unknown type `strnig` [did you mean `string`?]"],
  },
  {
    name: "a misspelled type schema",
    files: tool("string", "{type: arry, items: int}"),
    expected: [
      'a.cwl:5:20 wrong-kind: inputs.x.type: expected a type schema with `type: array`, `record` or `enum`, found the text "arry" [did you mean `array`?]',
    ],
  },
  {
    name: "a type that contains itself",
    files: withTypes("[{name: A, type: record, fields: {a: A}}]"),
    expected: [
      "a.cwl:8:49 recursive-type: requirements.SchemaDefRequirement.types.0.fields.a.type.fields.a.type: the type `A` contains itself",
    ],
  },
  {
    name: "an input twice in a list",
    files: tool("  x: {type: string}", "  - {id: x, type: int}\n  - {id: x, type: int}"),
    expected: ["a.cwl:6:5 duplicate-id: inputs: duplicate key `x`; first defined on line 5"],
  },
  {
    name: "an input twice in a map",
    files: tool("  x: {type: string}", "  x: int\n  x: int"),
    expected: ["a.cwl:6:3 duplicate-key: duplicate key `x`; first defined on line 5"],
  },
  {
    name: "an unknown requirement, and hints for other runners and for none",
    files: {
      "a.cwl": `${TOOL}requirements:\n  ShellComandRequirement: {}\nhints:\n  arv:Foo: {}\n  ResourceRequirment: {}\n`,
    },
    expected: [
      "a.cwl:9:3 unsupported-requirement: requirements.ShellComandRequirement: unknown requirement `ShellComandRequirement` [did you mean `ShellCommandRequirement`?]",
      "a.cwl:12:3 warning unknown-hint: hints.ResourceRequirment: unknown hint `ResourceRequirment` [did you mean `ResourceRequirement`?]",
    ],
  },
  {
    name: "a prefix that is not declared",
    files: { "a.cwl": `${TOOL}s:author: me\n` },
    expected: [
      "a.cwl:8:1 warning undeclared-prefix: the prefix of `s:author` is not declared [add `s` to $namespaces]",
    ],
  },
  {
    name: "a binding on a stream",
    files: tool("o: stdout", "o: {type: stdout, outputBinding: {glob: x}}"),
    expected: [
      "a.cwl:7:21 stream-binding: outputs.o: an output of type stdout or stderr cannot have an `outputBinding`",
    ],
  },
  {
    name: "two inputs from one stream",
    files: tool("x: {type: string}", "x: stdin\n  y: stdin"),
    expected: ["a.cwl:6:3 stream-binding: inputs.y: only one input can be of type stdin"],
  },
  {
    name: "a default File without a location",
    files: tool("{type: string}", "{type: File, default: {class: File}}"),
    expected: ["a.cwl:5:28 invalid-file: inputs.x.default: a File needs `location`, `path` or `contents`"],
  },
  {
    name: "a missing tool",
    files: { "a.cwl": WORKFLOW },
    expected: ["a.cwl:9:10 unreadable: steps.one.run: nothing readable at t.cwl"],
  },
  {
    name: "a tool that is not YAML",
    files: { "a.cwl": WORKFLOW, "t.cwl": "a: [\n" },
    expected: [
      "t.cwl:2:1 yaml-syntax: This is not valid YAML: deficient indentation [a bracket or a quotation mark that was opened before this place is not closed]",
    ],
  },
  {
    name: "an error in a tool, at its own place",
    files: { "a.cwl": WORKFLOW, "t.cwl": `${TOOL}stdot: x\n` },
    expected: ["t.cwl:8:1 unknown-field: unknown field `stdot` [did you mean `stdout`?]"],
  },
  {
    name: "a network that runs itself",
    files: workflow("t.cwl", "a.cwl"),
    expected: ["a.cwl:9:10 recursive-run: steps.one.run: `a` runs itself: a -> a"],
  },
  {
    name: "networks that run each other",
    files: workflow("x: string", "x: string", change(WORKFLOW, "t.cwl", "a.cwl")),
    expected: [
      "a.cwl:8:3 missing-requirement: steps.one: a step that runs a workflow needs SubworkflowFeatureRequirement [add `SubworkflowFeatureRequirement: {}` to the requirements of the workflow]",
      "t.cwl:9:10 recursive-run: steps.one.run: `a` runs itself: a -> t -> a",
    ],
  },
  {
    name: "a constant as source",
    files: workflow("x: x", "x: 3"),
    expected: [
      "a.cwl:10:5 missing-input: steps.one.in: t needs `x`, which has no source, default or valueFrom here",
      "a.cwl:11:10 wrong-kind: steps.one.in.x.source: expected the name of a source, found the number 3 [a constant is written as `default`]",
    ],
  },
  {
    name: "a missing import",
    files: { "a.cwl": `${TOOL}requirements:\n  - $import: r.yml\n` },
    expected: ["a.cwl:9:5 unreadable: requirements.0: nothing readable at r.yml"],
  },
  {
    name: "an import that imports itself",
    files: { "a.cwl": `${TOOL}requirements:\n  - $import: r.yml\n`, "r.yml": "- $import: r.yml\n" },
    expected: ["r.yml:1:3 import-cycle: requirements.0.0: r.yml imports itself"],
  },
  {
    name: "a missing include",
    files: { "a.cwl": `${TOOL}doc: {$include: d.md}\n` },
    expected: ["a.cwl:8:6 unreadable: doc: nothing readable at d.md"],
  },
  {
    name: "a choice without #main",
    files: { "a.cwl": GRAPH() },
    expected: ["a.cwl:1:1 no-main: a.cwl has several processes and none is called `#main` [name one: #left, #right]"],
  },
  {
    name: "a mistyped choice",
    files: { "a.cwl": GRAPH() },
    reference: "a.cwl#lefd",
    expected: ["a.cwl:1:1 unknown-reference: a.cwl has no process `#lefd` [did you mean `left`?]"],
  },
  {
    name: "two processes with one name",
    files: { "a.cwl": GRAPH().replace("left", "right") },
    reference: "a.cwl#right",
    expected: ["a.cwl:4:5 duplicate-id: $graph: duplicate key `right`; first defined on line 3"],
  },
  {
    name: "the type null without quotation marks",
    files: tool("string", "[null, int]"),
    expected: [
      'a.cwl:5:14 wrong-kind: inputs.x.type.0: expected a type, found nothing [write the null type as "null", in quotation marks]',
    ],
  },
  {
    name: "a process of a graph that was not chosen",
    files: { "a.cwl": GRAPH("inputs: {x: fil}") },
    reference: "a.cwl#left",
    expected: ["a.cwl:4:60 unknown-type: right.inputs.x.type: unknown type `fil` [did you mean `File`?]"],
  },
  {
    name: "fields of v1.2 in v1.0",
    files: {
      "a.cwl": change(change(WORKFLOW, "v1.2", "v1.0"), "    in:", "    when: $(true)\n    in:"),
      "t.cwl": TOOL,
    },
    expected: [
      "a.cwl:10:5 field-version: steps.one: CWL v1.0 has no field `when` here [CWL v1.2 introduced it: write `cwlVersion: v1.2`]",
    ],
  },
  {
    name: "requirements of v1.1 in v1.0",
    files: { "a.cwl": `${change(TOOL, "v1.2", "v1.0")}requirements:\n  NetworkAccess: {networkAccess: true}\n` },
    expected: [
      "a.cwl:9:3 unsupported-requirement: requirements.NetworkAccess: CWL v1.0 has no `NetworkAccess` [CWL v1.1 introduced it: write `cwlVersion: v1.1`]",
    ],
  },
];

for (const { expected, name, ...documents } of CASES) {
  test(`loadDocument reports ${name}`, async () => assert.deepEqual(await reportedProblems(documents), expected));
}
