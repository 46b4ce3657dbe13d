import assert from "node:assert/strict";
import { test } from "node:test";
import {
  TOOL,
  WORKFLOW,
  change,
  tool,
  expectProblems,
  reportedProblems,
  withTypes,
  workflow,
  type ReportCases,
} from "./testing/reported-problems.ts";

const GRAPH = (right = "inputs: []") => `cwlVersion: v1.2
$graph:
  - {class: Operation, id: left, inputs: [], outputs: []}
  - {class: Operation, id: right, outputs: [], ${right}}
`;

/** A change of `TOOL`, or lines after it, and what that causes: `line:column code: message [hint]`. */
const CHANGES: Readonly<Record<string, string | readonly string[]>> = {
  "inputs:\n → inputs: [\n":
    "6:1 yaml-syntax: This is not valid YAML: deficient indentation [a bracket or a quotation mark that was opened before this place is not closed]",
  "baseCommand → baseComand": "3:1 unknown-field: unknown field `baseComand` [did you mean `baseCommand`?]",
  "outputs: → output:": [
    "1:1 missing-field: the field `outputs` is missing [`output` on line 6 is not a field of this object]",
    "6:1 unknown-field: unknown field `output` [did you mean `outputs`?]",
  ],
  "{type: string} → {type: {type: array, items: int, __proto__: {a: 1}, constructor: 1}}": [
    "5:39 unknown-field: inputs.x.type: unknown field `__proto__` [expected one of type, name, label, doc, inputBinding, items]",
    "5:58 unknown-field: inputs.x.type: unknown field `constructor` [expected one of type, name, label, doc, inputBinding, items]",
  ],
  "CommandLineTool → Comandlinetool":
    "2:8 unknown-class: class: there is no process class `Comandlinetool` [did you mean `CommandLineTool`?]",
  "v1.2 → 1.2": "1:13 unsupported-version: cwlVersion: CWL version `1.2` is not supported [write `v1.2`]",
  "v1.2 → v9":
    "1:13 unsupported-version: cwlVersion: CWL version `v9` is not supported [expected one of v1.0, v1.1, v1.2]",
  "cwlVersion: v1.2\n → ": "1:1 missing-field: the field `cwlVersion` is missing [add `cwlVersion: v1.2`]",
  "inputs:\n  x: {type: string}\n → inputs:\n":
    "4:1 wrong-kind: inputs: expected a list or a map, found nothing [write `[]` for none]",
  "string → strnig": "5:13 unknown-type: inputs.x.type: unknown type `strnig` [did you mean `string`?]",
  "string → {type: arry, items: int}":
    '5:20 wrong-kind: inputs.x.type: expected a type schema with `type: array`, `record` or `enum`, found the text "arry" [did you mean `array`?]',
  "  x: {type: string} →   - {id: x, type: int}\n  - {id: x, type: int}":
    "6:5 duplicate-id: inputs: duplicate key `x`; first defined on line 5",
  "  x: {type: string} →   x: int\n  x: int": "6:3 duplicate-key: duplicate key `x`; first defined on line 5",
  "o: stdout → o: {type: stdout, outputBinding: {glob: x}}":
    "7:21 stream-binding: outputs.o: an output of type stdout or stderr cannot have an `outputBinding`",
  "x: {type: string} → x: stdin\n  y: stdin": "6:3 stream-binding: inputs.y: only one input can be of type stdin",
  "{type: string} → {type: File, default: {class: File}}":
    "5:28 invalid-file: inputs.x.default: a File needs `location`, `path` or `contents`",
  "string → [null, int]":
    '5:14 wrong-kind: inputs.x.type.0: expected a type, found nothing [write the null type as "null", in quotation marks]',
  "  x: {type: string} →   x:\n  type: string":
    "5:3 missing-field: inputs.x: the field `type` is missing [put its fields on the next lines and indent them]",
  "string → {type: enum, symbols: [a, b, a]}": "5:35 duplicate-id: inputs.x.type.symbols: duplicate symbol `a`",
  "stdout → stdot": "7:6 unknown-type: outputs.o.type: unknown type `stdot` [did you mean `stdout`?]",
  "v1.2 → draft-3":
    "1:13 unsupported-version: cwlVersion: `draft-3` is a draft from before CWL v1.0; only v1.0 and later versions can be read [`weft upgrade` rewrites it as v1.2]",
  "v1.2 → v1.2.0-dev4":
    "1:13 warning draft-version: cwlVersion: the draft `v1.2.0-dev4` is read as v1.2 [write `v1.2`]",
  "{type: string} → {type: string, prefix: -x, items: int, DockerRequirement: {}}": [
    "5:21 unknown-field: inputs.x: unknown field `prefix` [`prefix` belongs to `inputBinding`]",
    "5:33 unknown-field: inputs.x: unknown field `items` [`items` belongs to the type, `type: {type: array, items: …}`]",
    "5:45 unknown-field: inputs.x: unknown field `DockerRequirement` [`DockerRequirement` belongs to `requirements` or `hints`]",
  ],
  "{type: string} → {type: File, streamable: yes}":
    '5:31 wrong-kind: inputs.x.streamable: expected true or false, found the text "yes" [write `true`, without quotation marks]',
  "o: stdout → o: {type: File, format: [a, b]}": "7:27 wrong-kind: outputs.o.format: expected text, found a list",
  "string → [stdout, stdin]": [
    "5:14 unknown-type: inputs.x.type.0: unknown type `stdout` [`stdout` is allowed only as the whole type of a CommandLineTool output]",
    "5:22 unknown-type: inputs.x.type.1: unknown type `stdin` [`stdin` is the type of one input of a CommandLineTool of v1.1 or later]",
  ],
  "→ doc: |\n  Says it.\n  Twice.\nlabel: echo\nsuccessCodes: zero\nstdout: o.txt\n":
    '12:15 wrong-kind: successCodes: expected a list, found the text "zero"',
  "→ requirements:\n  - InlineJavascriptRequirement\n":
    '9:5 wrong-kind: requirements.0: expected a map with `class`, found the text "InlineJavascriptRequirement" [write `- class: InlineJavascriptRequirement`]',
  "→ requirements:\n  DockerRequirement:\n    dockerPull: 1.10\n":
    "10:17 wrong-kind: requirements.DockerRequirement.dockerPull: expected text, found the number 1.10 [put it in quotation marks]",
  "→ requirements:\n  ShellComandRequirement: {}\nhints:\n  arv:Foo: {}\n  ResourceRequirment: {}\n": [
    "9:3 unsupported-requirement: requirements.ShellComandRequirement: unknown requirement `ShellComandRequirement` [did you mean `ShellCommandRequirement`?]",
    "12:3 warning unknown-hint: hints.ResourceRequirment: unknown hint `ResourceRequirment` [did you mean `ResourceRequirement`?]",
  ],
  "→ s:author: me\n":
    "8:1 warning undeclared-prefix: the prefix of `s:author` is not declared [add `s` to $namespaces]",
  "→ requirements:\n  - $import: r.yml\n": "9:5 unreadable: requirements.0: cannot read r.yml",
  "→ doc: {$include: d.md}\n": "8:6 unreadable: doc: cannot read d.md",
  '→ $namespace: {s: "http://s/"}\n$mine: 1\nname: echo\n': [
    "8:1 warning ignored-field: `$namespace` has no meaning here and is ignored [did you mean `$namespaces`?]",
    "10:1 warning ignored-field: `name` has no meaning here and is ignored",
  ],
  '→ $namespaces: [s]\n$base: "http://e/"\n': [
    "8:14 wrong-kind: $namespaces: expected a map from prefixes to addresses, found a list",
    "9:8 warning ignored-field: $base: `$base` is ignored: references are relative to this file",
  ],
  "→ requirements:\n  InitialWorkDirRequirement: {listing: [some.txt, [$(inputs.x)]]}\n": [
    '9:41 wrong-kind: requirements.InitialWorkDirRequirement.listing.0: expected an expression such as `$(inputs.file)`, found the text "some.txt" [to create a file with this text, write `{entryname: name, entry: text}`]',
    '9:52 wrong-kind: requirements.InitialWorkDirRequirement.listing.1: expected a File or a Directory, as the inner list can hold nothing else, found the text "$(inputs.x)"',
  ],
  '→ requirements: [{class: "arv:RunInSingleContainer"}]\n':
    "8:24 unsupported-requirement: requirements.arv:RunInSingleContainer: unknown requirement `arv:RunInSingleContainer` [only a runner that knows this requirement may run the document; if it may be ignored, move it to `hints`]",
};

/** Changes of `WORKFLOW`. */
const NETWORK_CHANGES: typeof CHANGES = {
  "t.cwl → a.cwl": "9:10 recursive-run: steps.one.run: `a` runs itself: a -> a",
  "x: x → x: 3": [
    "10:5 missing-input: steps.one.in: t needs `x`, which has no source, default or valueFrom here",
    "11:10 wrong-kind: steps.one.in.x.source: expected the name of a source, found the number 3 [a constant is written as `default`]",
  ],
  "    out: [o] →     out: [o]\n    when: x":
    '13:11 wrong-kind: steps.one.when: expected an expression, `$(…)` or `${…}`, found the text "x"',
  "class: Workflow → class: Workflow\nbaseCommand: echo":
    "3:1 unknown-field: unknown field `baseCommand` [`baseCommand` belongs to a CommandLineTool]",
};

const CASES: ReportCases = {
  "no file": [{}, "a.cwl:1:1 unreadable: cannot read a.cwl"],
  "an empty file": [{ "a.cwl": "" }, "a.cwl:1:1 empty-document: The document is empty"],
  "no process": [
    { "a.cwl": "- a\n" },
    "a.cwl:1:1 wrong-kind: expected a process: a map with `class` or `$graph`, found a list",
  ],
  "a type that contains itself": [
    withTypes("[{name: A, type: record, fields: {a: A}}]"),
    "a.cwl:8:49 recursive-type: requirements.SchemaDefRequirement.types.0.fields.a.type.fields.a.type: the type `A` contains itself",
  ],
  "a missing tool": [{ "a.cwl": WORKFLOW }, "a.cwl:9:10 unreadable: steps.one.run: cannot read t.cwl"],
  "a tool that is not YAML": [
    { "a.cwl": WORKFLOW, "t.cwl": "a: [\n" },
    "t.cwl:2:1 yaml-syntax: This is not valid YAML: deficient indentation [a bracket or a quotation mark that was opened before this place is not closed]",
  ],
  "an error in a tool, at its own place": [
    { "a.cwl": WORKFLOW, "t.cwl": `${TOOL}stdot: x\n` },
    "t.cwl:8:1 unknown-field: unknown field `stdot` [did you mean `stdout`?]",
  ],
  "networks that run each other": [
    workflow("x: string", "x: string", change(WORKFLOW, "t.cwl", "a.cwl")),
    [
      "a.cwl:8:3 missing-requirement: steps.one: a step that runs a workflow needs SubworkflowFeatureRequirement [add `SubworkflowFeatureRequirement: {}` to the requirements of the workflow]",
      "t.cwl:9:10 recursive-run: steps.one.run: `a` runs itself: a -> t -> a",
    ],
  ],
  "an import that imports itself": [
    { "a.cwl": `${TOOL}requirements:\n  - $import: r.yml\n`, "r.yml": "- $import: r.yml\n" },
    "r.yml:1:3 import-cycle: requirements.0.0: r.yml imports itself",
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
  "notes next to a graph": [
    {
      "a.cwl":
        "cwlVersion: v1.2\nlabel: all\nbaseCommand: a\n$graph: [{class: Operation, id: main, inputs: [], outputs: []}]\n",
    },
    [
      "a.cwl:2:1 warning ignored-field: `label` next to `$graph` is ignored [it belongs to one of the processes in `$graph`]",
      "a.cwl:3:1 warning ignored-field: `baseCommand` next to `$graph` is ignored [`baseCommand` belongs to a CommandLineTool]",
    ],
  ],
  "a tool without a version": [
    { "a.cwl": WORKFLOW, "t.cwl": TOOL.replace("cwlVersion: v1.2\n", "") },
    "t.cwl:1:1 missing-field: the field `cwlVersion` is missing [add `cwlVersion: v1.2`]",
  ],
  "a binding on a record of v1.0": [
    { "a.cwl": change(TOOL, "string", "{type: record, inputBinding: {}}").replace("v1.2", "v1.0") },
    "a.cwl:5:28 field-version: inputs.x.type: CWL v1.0 has no field `inputBinding` here [CWL v1.1 introduced it: write `cwlVersion: v1.1`]",
  ],
  "documents of other machines": [
    {
      "a.cwl": workflow("t.cwl", "https://e.org/t.cwl")["a.cwl"].replace(
        "outputs:",
        "doc: {$include: http://e.org/d}\noutputs:",
      ),
    },
    [
      "a.cwl:5:6 unreadable: doc: cannot read http://e.org/d",
      "a.cwl:10:10 unreadable: steps.one.run: cannot read https://e.org/t.cwl",
    ],
  ],
  "unrelated mistakes": [
    { "a.cwl": change(change(TOOL, "baseCommand", "baseComand"), "inputs:\n  x: {type: string}\n", "") },
    [
      "a.cwl:1:1 missing-field: the field `inputs` is missing",
      "a.cwl:3:1 unknown-field: unknown field `baseComand` [did you mean `baseCommand`?]",
    ],
  ],
  "two types with one name": [
    withTypes("[{name: A, type: enum, symbols: [a]}, {name: A, type: enum, symbols: [b]}]"),
    "a.cwl:8:50 duplicate-id: requirements.SchemaDefRequirement.types.1: duplicate key `A`; first defined on line 8",
  ],
  "defaults of steps that do not fit": [
    {
      "a.cwl": change(WORKFLOW, "x: x", "x: {default: [1]}").replace(
        "steps:",
        "requirements: [{class: ScatterFeatureRequirement}, {class: StepInputExpressionRequirement}]\nsteps:\n  two: {run: t.cwl, in: {x: {default: [a, 3]}}, scatter: x, out: []}\n  three: {run: t.cwl, in: {x: {default: 3, valueFrom: $(self)}}, out: []}",
      ),
      "t.cwl": TOOL,
    },
    [
      'a.cwl:9:43 wrong-type: steps.two.in.x.default.1: expected string, found the number 3 [write it in quotes: "3"]',
      "a.cwl:14:20 wrong-type: steps.one.in.x.default: expected string, found an array",
    ],
  ],
};

for (const [changes, document, text] of [
  [CHANGES, tool, TOOL],
  [NETWORK_CHANGES, workflow, WORKFLOW],
] as const)
  for (const [change, expected] of Object.entries(changes))
    test(`loadDocument reports ${JSON.stringify(change)}`, () => {
      const [, from = "", to = ""] = /^(.*?) ?→ (.*)$/s.exec(change) ?? [];
      const files = from === "" ? { "a.cwl": text + to } : document(from, to);
      return expectProblems(files, expected);
    });

for (const [name, [files, expected, reference]] of Object.entries(CASES))
  test(`loadDocument reports ${name}`, async () =>
    assert.deepEqual(await reportedProblems(files, reference), [expected].flat()));
