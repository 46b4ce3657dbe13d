import assert from "node:assert/strict";
import { test } from "node:test";
import { TOOL, WORKFLOW, change, tool, reportedProblems, withTypes, workflow } from "./testing/reported-problems.ts";
import type { ReportCases } from "./testing/reported-problems.ts";

const CASES: ReportCases = {
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
  "text where an expression belongs": [
    workflow("    out: [o]", "    out: [o]\n    when: x"),
    'a.cwl:13:11 wrong-kind: steps.one.when: expected an expression, `$(…)` or `${…}`, found the text "x"',
  ],
  "fields that are not indented far enough": [
    tool("  x: {type: string}", "  x:\n  type: string"),
    "a.cwl:5:3 missing-field: inputs.x: the field `type` is missing [put its fields on the next lines and indent them]",
  ],
  "a symbol twice": [
    tool("string", "{type: enum, symbols: [a, b, a]}"),
    "a.cwl:5:35 duplicate-id: inputs.x.type.symbols: duplicate symbol `a`",
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
      "a.cwl:5:6 unreadable: doc: nothing readable at http://e.org/d",
      "a.cwl:10:10 unreadable: steps.one.run: nothing readable at https://e.org/t.cwl",
    ],
  ],
  "unrelated mistakes": [
    { "a.cwl": change(change(TOOL, "baseCommand", "baseComand"), "inputs:\n  x: {type: string}\n", "") },
    [
      "a.cwl:1:1 missing-field: the field `inputs` is missing",
      "a.cwl:3:1 unknown-field: unknown field `baseComand` [did you mean `baseCommand`?]",
    ],
  ],
  "a mistyped stream": [
    tool("stdout", "stdot"),
    "a.cwl:7:6 unknown-type: outputs.o.type: unknown type `stdot` [did you mean `stdout`?]",
  ],
  "an old version": [
    tool("v1.2", "draft-3"),
    "a.cwl:1:13 unsupported-version: cwlVersion: `draft-3` is a draft from before CWL v1.0; only v1.0 and later versions can be read [`weft upgrade` rewrites it as v1.2]",
  ],
  "a draft of a version": [
    tool("v1.2", "v1.2.0-dev4"),
    "a.cwl:1:13 warning draft-version: cwlVersion: the draft `v1.2.0-dev4` is read as v1.2 [write `v1.2`]",
  ],
  "fields of other objects": [
    tool("{type: string}", "{type: string, prefix: -x, items: int, DockerRequirement: {}}"),
    [
      "a.cwl:5:21 unknown-field: inputs.x: unknown field `prefix` [`prefix` belongs to `inputBinding`]",
      "a.cwl:5:33 unknown-field: inputs.x: unknown field `items` [`items` belongs to the type, `type: {type: array, items: …}`]",
      "a.cwl:5:45 unknown-field: inputs.x: unknown field `DockerRequirement` [`DockerRequirement` belongs to `requirements` or `hints`]",
    ],
  ],
  "fields of another class": [
    workflow("class: Workflow", "class: Workflow\nbaseCommand: echo"),
    "a.cwl:3:1 unknown-field: unknown field `baseCommand` [`baseCommand` belongs to a CommandLineTool]",
  ],
  "unknown directives, one of them close to a known one": [
    { "a.cwl": `${TOOL}$namespace: {s: "http://s/"}\n$mine: 1\nname: echo\n` },
    [
      "a.cwl:8:1 warning ignored-field: `$namespace` has no meaning here and is ignored [did you mean `$namespaces`?]",
      "a.cwl:10:1 warning ignored-field: `name` has no meaning here and is ignored",
    ],
  ],
  "wrong namespaces, and a base": [
    { "a.cwl": `${TOOL}$namespaces: [s]\n$base: "http://e/"\n` },
    [
      "a.cwl:8:14 wrong-kind: $namespaces: expected a map from prefixes to addresses, found a list",
      "a.cwl:9:8 warning ignored-field: $base: `$base` is ignored: references are relative to this file",
    ],
  ],
  "a boolean as in YAML 1.1": [
    tool("{type: string}", "{type: File, streamable: yes}"),
    'a.cwl:5:31 wrong-kind: inputs.x.streamable: expected true or false, found the text "yes" [write `true`, without quotation marks]',
  ],
  "two formats of an output": [
    tool("o: stdout", "o: {type: File, format: [a, b]}"),
    "a.cwl:7:27 wrong-kind: outputs.o.format: expected text, found a list",
  ],
  "a stream as the type of something else": [
    tool("string", "[stdout, stdin]"),
    [
      "a.cwl:5:14 unknown-type: inputs.x.type.0: unknown type `stdout` [`stdout` is allowed only as the whole type of a CommandLineTool output]",
      "a.cwl:5:22 unknown-type: inputs.x.type.1: unknown type `stdin` [`stdin` is the type of one input of a CommandLineTool of v1.1 or later]",
    ],
  ],
  "two types with one name": [
    withTypes("[{name: A, type: enum, symbols: [a]}, {name: A, type: enum, symbols: [b]}]"),
    "a.cwl:8:50 duplicate-id: requirements.SchemaDefRequirement.types.1: duplicate key `A`; first defined on line 8",
  ],
  "plain text as a file to be created": [
    { "a.cwl": `${TOOL}requirements:\n  InitialWorkDirRequirement: {listing: [some.txt, [$(inputs.x)]]}\n` },
    [
      'a.cwl:9:41 wrong-kind: requirements.InitialWorkDirRequirement.listing.0: expected an expression such as `$(inputs.file)`, found the text "some.txt" [to create a file with this text, write `{entryname: name, entry: text}`]',
      'a.cwl:9:52 wrong-kind: requirements.InitialWorkDirRequirement.listing.1: expected a File or a Directory, as the inner list can hold nothing else, found the text "$(inputs.x)"',
    ],
  ],
  "a requirement of another runner": [
    { "a.cwl": `${TOOL}requirements: [{class: "arv:RunInSingleContainer"}]\n` },
    "a.cwl:8:24 unsupported-requirement: requirements.arv:RunInSingleContainer: unknown requirement `arv:RunInSingleContainer` [only a runner that knows this requirement may run the document; if it may be ignored, move it to `hints`]",
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

for (const [name, [files, expected, reference]] of Object.entries(CASES))
  test(`loadDocument advises on ${name}`, async () =>
    assert.deepEqual(await reportedProblems(files, reference), [expected].flat()));
