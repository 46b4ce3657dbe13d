import assert from "node:assert/strict";
import { test } from "node:test";
import { TOOL, WORKFLOW, change, tool, reportedProblems, withTypes, workflow } from "./testing/reported-problems.ts";
import type { ReportCases } from "./testing/reported-problems.ts";

const GRAPH = (right = "inputs: []") => `cwlVersion: v1.2
$graph:
  - {class: Operation, id: left, inputs: [], outputs: []}
  - {class: Operation, id: right, outputs: [], ${right}}
`;

const CASES: ReportCases = {
  "no file": [{}, "a.cwl:1:1 unreadable: nothing readable at a.cwl"],
  "an empty file": [{ "a.cwl": "" }, "a.cwl:1:1 empty-document: The document is empty"],
  "no process": [
    { "a.cwl": "- a\n" },
    "a.cwl:1:1 wrong-kind: expected a process: a map with `class` or `$graph`, found a list",
  ],
  "a syntax error, once": [
    tool("inputs:\n", "inputs: [\n"),
    "a.cwl:6:1 yaml-syntax: This is not valid YAML: deficient indentation [a bracket or a quotation mark that was opened before this place is not closed]",
  ],
  "a misspelled field": [
    tool("baseCommand", "baseComand"),
    "a.cwl:3:1 unknown-field: unknown field `baseComand` [did you mean `baseCommand`?]",
  ],
  "a misspelled required field, reported from both sides": [
    tool("outputs:", "output:"),
    [
      "a.cwl:1:1 missing-field: the field `outputs` is missing [`output` on line 6 is not a field of this object]",
      "a.cwl:6:1 unknown-field: unknown field `output` [did you mean `outputs`?]",
    ],
  ],
  "keys that every JavaScript object has": [
    tool("{type: string}", "{type: {type: array, items: int, __proto__: {a: 1}, constructor: 1}}"),
    [
      "a.cwl:5:39 unknown-field: inputs.x.type: unknown field `__proto__` [expected one of type, name, label, doc, inputBinding, items]",
      "a.cwl:5:58 unknown-field: inputs.x.type: unknown field `constructor` [expected one of type, name, label, doc, inputBinding, items]",
    ],
  ],
  "an unknown class": [
    tool("CommandLineTool", "Comandlinetool"),
    "a.cwl:2:8 unknown-class: class: there is no process class `Comandlinetool` [did you mean `CommandLineTool`?]",
  ],
  "a version without v": [
    tool("v1.2", "1.2"),
    "a.cwl:1:13 unsupported-version: cwlVersion: CWL version `1.2` is not supported [write `v1.2`]",
  ],
  "a future version": [
    tool("v1.2", "v9"),
    "a.cwl:1:13 unsupported-version: cwlVersion: CWL version `v9` is not supported [expected one of v1.0, v1.1, v1.2]",
  ],
  "no version": [
    tool("cwlVersion: v1.2\n", ""),
    "a.cwl:1:1 missing-field: the field `cwlVersion` is missing [add `cwlVersion: v1.2`]",
  ],
  "inputs without value": [
    tool("inputs:\n  x: {type: string}\n", "inputs:\n"),
    "a.cwl:4:1 wrong-kind: inputs: expected a list or a map, found nothing [write `[]` for none]",
  ],
  "a wrong kind of value on line 12 of a longer document": [
    { "a.cwl": `${TOOL}doc: |\n  Says it.\n  Twice.\nlabel: echo\nsuccessCodes: zero\nstdout: o.txt\n` },
    'a.cwl:12:15 wrong-kind: successCodes: expected a list, found the text "zero"',
  ],
  "a number where text belongs": [
    { "a.cwl": `${TOOL}requirements:\n  DockerRequirement:\n    dockerPull: 1.10\n` },
    "a.cwl:10:17 wrong-kind: requirements.DockerRequirement.dockerPull: expected text, found the number 1.10 [put it in quotation marks]",
  ],
  "a misspelled type": [
    tool("string", "strnig"),
    "a.cwl:5:13 unknown-type: inputs.x.type: unknown type `strnig` [did you mean `string`?]",
  ],
  "a misspelled type schema": [
    tool("string", "{type: arry, items: int}"),
    'a.cwl:5:20 wrong-kind: inputs.x.type: expected a type schema with `type: array`, `record` or `enum`, found the text "arry" [did you mean `array`?]',
  ],
  "a type that contains itself": [
    withTypes("[{name: A, type: record, fields: {a: A}}]"),
    "a.cwl:8:49 recursive-type: requirements.SchemaDefRequirement.types.0.fields.a.type.fields.a.type: the type `A` contains itself",
  ],
  "an input twice in a list": [
    tool("  x: {type: string}", "  - {id: x, type: int}\n  - {id: x, type: int}"),
    "a.cwl:6:5 duplicate-id: inputs: duplicate key `x`; first defined on line 5",
  ],
  "an input twice in a map": [
    tool("  x: {type: string}", "  x: int\n  x: int"),
    "a.cwl:6:3 duplicate-key: duplicate key `x`; first defined on line 5",
  ],
  "an unknown requirement, and hints for other runners and for none": [
    {
      "a.cwl": `${TOOL}requirements:\n  ShellComandRequirement: {}\nhints:\n  arv:Foo: {}\n  ResourceRequirment: {}\n`,
    },
    [
      "a.cwl:9:3 unsupported-requirement: requirements.ShellComandRequirement: unknown requirement `ShellComandRequirement` [did you mean `ShellCommandRequirement`?]",
      "a.cwl:12:3 warning unknown-hint: hints.ResourceRequirment: unknown hint `ResourceRequirment` [did you mean `ResourceRequirement`?]",
    ],
  ],
  "a prefix that is not declared": [
    { "a.cwl": `${TOOL}s:author: me\n` },
    "a.cwl:8:1 warning undeclared-prefix: the prefix of `s:author` is not declared [add `s` to $namespaces]",
  ],
  "a binding on a stream": [
    tool("o: stdout", "o: {type: stdout, outputBinding: {glob: x}}"),
    "a.cwl:7:21 stream-binding: outputs.o: an output of type stdout or stderr cannot have an `outputBinding`",
  ],
  "two inputs from one stream": [
    tool("x: {type: string}", "x: stdin\n  y: stdin"),
    "a.cwl:6:3 stream-binding: inputs.y: only one input can be of type stdin",
  ],
  "a default File without a location": [
    tool("{type: string}", "{type: File, default: {class: File}}"),
    "a.cwl:5:28 invalid-file: inputs.x.default: a File needs `location`, `path` or `contents`",
  ],
  "a missing tool": [{ "a.cwl": WORKFLOW }, "a.cwl:9:10 unreadable: steps.one.run: nothing readable at t.cwl"],
  "a tool that is not YAML": [
    { "a.cwl": WORKFLOW, "t.cwl": "a: [\n" },
    "t.cwl:2:1 yaml-syntax: This is not valid YAML: deficient indentation [a bracket or a quotation mark that was opened before this place is not closed]",
  ],
  "an error in a tool, at its own place": [
    { "a.cwl": WORKFLOW, "t.cwl": `${TOOL}stdot: x\n` },
    "t.cwl:8:1 unknown-field: unknown field `stdot` [did you mean `stdout`?]",
  ],
  "a network that runs itself": [
    workflow("t.cwl", "a.cwl"),
    "a.cwl:9:10 recursive-run: steps.one.run: `a` runs itself: a -> a",
  ],
  "networks that run each other": [
    workflow("x: string", "x: string", change(WORKFLOW, "t.cwl", "a.cwl")),
    [
      "a.cwl:8:3 missing-requirement: steps.one: a step that runs a workflow needs SubworkflowFeatureRequirement [add `SubworkflowFeatureRequirement: {}` to the requirements of the workflow]",
      "t.cwl:9:10 recursive-run: steps.one.run: `a` runs itself: a -> t -> a",
    ],
  ],
  "a constant as source": [
    workflow("x: x", "x: 3"),
    [
      "a.cwl:10:5 missing-input: steps.one.in: t needs `x`, which has no source, default or valueFrom here",
      "a.cwl:11:10 wrong-kind: steps.one.in.x.source: expected the name of a source, found the number 3 [a constant is written as `default`]",
    ],
  ],
  "a missing import": [
    { "a.cwl": `${TOOL}requirements:\n  - $import: r.yml\n` },
    "a.cwl:9:5 unreadable: requirements.0: nothing readable at r.yml",
  ],
  "an import that imports itself": [
    { "a.cwl": `${TOOL}requirements:\n  - $import: r.yml\n`, "r.yml": "- $import: r.yml\n" },
    "r.yml:1:3 import-cycle: requirements.0.0: r.yml imports itself",
  ],
  "a missing include": [
    { "a.cwl": `${TOOL}doc: {$include: d.md}\n` },
    "a.cwl:8:6 unreadable: doc: nothing readable at d.md",
  ],
  "a choice without #main": [
    { "a.cwl": GRAPH() },
    "a.cwl:1:1 no-main: a.cwl has several processes and none is called `#main` [name one: #left, #right]",
  ],
  "a mistyped choice": [
    { "a.cwl": GRAPH() },
    "a.cwl:1:1 unknown-reference: a.cwl has no process `#lefd` [did you mean `left`?]",
    "a.cwl#lefd",
  ],
  "two processes with one name": [
    { "a.cwl": GRAPH().replace("left", "right") },
    "a.cwl:4:5 duplicate-id: $graph: duplicate key `right`; first defined on line 3",
    "a.cwl#right",
  ],
  "the type null without quotation marks": [
    tool("string", "[null, int]"),
    'a.cwl:5:14 wrong-kind: inputs.x.type.0: expected a type, found nothing [write the null type as "null", in quotation marks]',
  ],
  "a process of a graph that was not chosen": [
    { "a.cwl": GRAPH("inputs: {x: fil}") },
    "a.cwl:4:60 unknown-type: right.inputs.x.type: unknown type `fil` [did you mean `File`?]",
    "a.cwl#left",
  ],
  "fields of v1.2 in v1.0": [
    { "a.cwl": change(change(WORKFLOW, "v1.2", "v1.0"), "    in:", "    when: $(true)\n    in:"), "t.cwl": TOOL },
    "a.cwl:10:5 field-version: steps.one: CWL v1.0 has no field `when` here [CWL v1.2 introduced it: write `cwlVersion: v1.2`]",
  ],
  "requirements of v1.1 in v1.0": [
    { "a.cwl": `${change(TOOL, "v1.2", "v1.0")}requirements:\n  NetworkAccess: {networkAccess: true}\n` },
    "a.cwl:9:3 unsupported-requirement: requirements.NetworkAccess: CWL v1.0 has no `NetworkAccess` [CWL v1.1 introduced it: write `cwlVersion: v1.1`]",
  ],
};

for (const [name, [files, expected, reference]] of Object.entries(CASES))
  test(`loadDocument reports ${name}`, async () =>
    assert.deepEqual(await reportedProblems(files, reference), [expected].flat()));
