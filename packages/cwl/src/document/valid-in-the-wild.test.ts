/** Documents that the reference runner runs, and those that it refuses for a reason. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { reportedProblems } from "./testing/reported-problems.ts";

const HEAD = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: x\n";
const FLOW = `cwlVersion: v1.2
class: Workflow
requirements: {MultipleInputFeatureRequirement: {}, InlineJavascriptRequirement: {}}
inputs: {go: boolean}
`;
const PAIR = `${HEAD}inputs: {go: boolean?}\noutputs: {logs: {type: "File[]", outputBinding: {glob: "*"}}, one: {type: File, outputBinding: {glob: a}}}\n`;
const steps = (more: string) => `steps:
  one: {run: t.cwl, when: $(inputs.go), in: {go: go}, out: [logs, one]}
  two: {run: t.cwl, when: $(inputs.go), in: {go: go}, out: [logs, one]}
outputs: {all: {${more}}}
`;

const tool = (rest: string, inputs = "inputs: []") => ({ "a.cwl": `${HEAD}${inputs}\noutputs: []\n${rest}` });
const merged = (output: string) => ({
  "a.cwl": FLOW + steps(`${output}, linkMerge: merge_flattened, pickValue: all_non_null`),
  "t.cwl": PAIR,
});

const CASES: Readonly<
  Record<string, readonly [files: Readonly<Record<string, string>>, ...expected: readonly string[]]>
> = {
  "one type name in two files": [
    {
      "a.cwl": `${HEAD}requirements: {SchemaDefRequirement: {types: [{$import: n.yml}, {$import: s.yml}]}}\ninputs: {n: "n.yml#set", s: "s.yml#set"}\narguments: [$(inputs.n.depth), $(inputs.s.colour)]\noutputs: []\n`,
      "n.yml": "{name: set, type: record, fields: {depth: int}}",
      "s.yml": "{name: set, type: record, fields: {colour: string}}",
    },
  ],
  "one file of types imported twice": [
    {
      "a.cwl": `${HEAD}inputs: []\noutputs: []\nrequirements: {SchemaDefRequirement: {types: [{$import: n.yml}, {$import: n.yml}]}}\n`,
      "n.yml": "{name: set, type: record, fields: {depth: int}}",
    },
  ],
  "lists of steps that may be skipped, in one list": [merged('type: "File[]", outputSource: [one/logs, two/logs]')],
  "a list and a file that may be missing, in one list": [merged('type: "File[]", outputSource: [one/logs, two/one]')],
  "lists of steps that may be skipped, in a list of texts": [
    merged('type: "string[]", outputSource: [one/logs, two/logs]'),
    "a.cwl:8:35 type-mismatch: outputs.all: `one/logs` gives File[], but the output `all` takes string[]",
    "a.cwl:8:35 type-mismatch: outputs.all: `two/logs` gives File[], but the output `all` takes string[]",
  ],
  "names of variables that are not identifiers": [
    tool(
      `requirements: {EnvVarRequirement: {envDef: {discovery.type: a, a-b: b, "BASH_FUNC_f%%": c, "UML\u00c4": d}}}\n`,
    ),
  ],
  "a name that no variable can have": [
    tool(`requirements:\n  EnvVarRequirement: {envDef: {"a=b": x, "": y}}\n`),
    'a.cwl:7:32 bad-name: requirements.EnvVarRequirement.envDef.a=b: "a=b" cannot be the name of an environment variable',
    "a.cwl:7:42 bad-name: requirements.EnvVarRequirement.envDef.: the name of an environment variable is empty",
  ],
  "amounts that contradict each other": [
    tool(
      `requirements:\n  ResourceRequirement: {coresMin: 4, coresMax: 2, ramMin: -1}\nhints:\n  - {class: ResourceRequirement, outdirMax: 1, outdirMin: 2}\n`,
    ),
    "a.cwl:7:48 bad-amount: requirements.ResourceRequirement: `coresMax` (2) is less than `coresMin` (4)",
    "a.cwl:7:59 bad-amount: requirements.ResourceRequirement: `ramMin` is negative",
    "a.cwl:9:45 bad-amount: hints.ResourceRequirement: `outdirMax` (1) is less than `outdirMin` (2)",
  ],
  "amounts that only the job knows": [
    tool(
      `requirements: {ResourceRequirement: {coresMin: $(inputs.n), coresMax: 2, ramMin: 5, ramMax: 5}}\n`,
      `inputs: {n: int}`,
    ),
  ],
  "fields that a record does not declare": [
    tool(
      `arguments: [$(inputs.r.b), $(inputs.o.b)]\n`,
      `inputs: {r: {type: {type: record, fields: {a: int}}}, o: {type: ["null", {type: record, fields: {a: int}}]}}`,
    ),
    "a.cwl:6:24 warning unknown-reference: arguments.0: `inputs.r` has no field `b` [expected `a`]",
    "a.cwl:6:39 warning unknown-reference: arguments.1: `inputs.o` has no field `b` [expected `a`]",
  ],
  "undeclared prefixes, once for each prefix and document": [
    tool(`s:a: 1\ns:b: 1\nt:a: 1\ns:c: 1\n`),
    "a.cwl:6:1 warning undeclared-prefix: the prefix of `s:a` is not declared (2 more in this document) [add `s` to $namespaces]",
    "a.cwl:8:1 warning undeclared-prefix: the prefix of `t:a` is not declared [add `t` to $namespaces]",
  ],
  "ontologies on the web, once for each document": [
    {
      "a.cwl": `$schemas: ["https://e.org/1", "https://e.org/2", "https://e.org/3"]\n${HEAD}inputs: []\noutputs: []\n`,
    },
    "a.cwl:1:12 warning unreadable-schema: $schemas: `https://e.org/1` is not read: only files on this machine are (2 more in this document) [if file formats depend on it, refer to a local copy next to the document]",
  ],
  "an input that is not declared": [
    tool(`arguments: [$(inputs.b)]\n`, `inputs: {r: int}`),
    "a.cwl:6:22 unknown-reference: arguments.0: `inputs` has no field `b` [expected `r`]",
  ],
};

for (const [name, [files, ...expected]] of Object.entries(CASES))
  test(`loadDocument judges ${name}`, async () => assert.deepEqual(await reportedProblems(files), expected));
