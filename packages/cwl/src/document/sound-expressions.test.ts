import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { reportedProblems } from "./testing/reported-problems.ts";

const tool = (argument: string, library = "") => `cwlVersion: v1.2
class: CommandLineTool
baseCommand: echo
requirements:
  InlineJavascriptRequirement:
    expressionLib: [${JSON.stringify(library)}]
inputs:
  text: string
  reads: File[]
  maybe: File?
  either: [File, string]
  open: Any
  first-word: string
  record: {type: {type: record, fields: {left: File}}}
outputs: []
arguments: [${JSON.stringify(argument)}]
`;

const SOUND: Readonly<Record<string, readonly [argument: string, library?: string]>> = {
  "a property that only JavaScript knows": ["$(inputs.text.length)"],
  "methods of texts and lists": [
    "$(inputs.text.split(',').concat(inputs.reads.map(function (f) { return f.basename; })))",
  ],
  "an optional File": ["$(inputs.maybe.basename)"],
  "a field that only one of two types has": ["$(inputs.either.path)"],
  "anything in a value of any type": ["$(inputs.open.a.b[3].c)"],
  "a name in brackets": ["$(inputs['first-word'])"],
  "an element": ["$(inputs.reads[0].nameroot)"],
  "an input that may be missing": ["$(inputs.nope || 'none')"],
  "an input whose existence is checked": ["${ if ('nope' in inputs) return inputs.nope; return null; }"],
  "an input that is compared": ["${ return inputs.nope === undefined ? 1 : inputs.nope; }"],
  "a field that is set first": [
    "${ var f = inputs.reads[0]; f.mine = 1; inputs.record.extra = 2; return inputs.record.extra; }",
  ],
  "names of a library": ["$(twice(2) + total)", "function twice(x) { return 2 * x; }\nvar total = 3;"],
  "names that a library defines in unusual ways": [
    "$(_.keys(inputs))",
    "(function () { this._ = {keys: Object.keys}; }).call(this);",
  ],
  "names of the script": [
    "${ var f = (a, {b}) => a + b; try { f(1, {b: 2}); } catch (e) { return e.message; } return f; }",
  ],
  "a name whose existence is checked": ["${ return typeof window === 'undefined' ? 1 : window; }"],
  globals: ["$(JSON.stringify([Math.max(1, 2), parseInt('3'), new Date(0)]))"],
  "a shadowed name": ["${ return [1].map(function (self) { return self.anything; }); }"],
  "a return in a branch": ["${ for (var i = 0; i < 3; i++) { if (i == 2) { return i; } } }"],
  "only a throw": ["${ throw new Error('stop'); }"],
  "a text with an escaped bracket": ["\\$(not.an.expression) \\${nor this}"],
  null: ["$(null)"],
  "members of every object": ["$(inputs.record.hasOwnProperty('left'))"],
};

describe("sound expressions have no findings", () => {
  for (const [name, [argument, library]] of Object.entries(SOUND))
    test(name, async () => assert.deepEqual(await reportedProblems({ "a.cwl": tool(argument, library) }), []));
});

test("a tool that needs JavaScript is valid within a network that requires it, but not alone", async () => {
  const step = "steps: {one: {run: t.cwl, in: {n: n}, out: []}}\n";
  const files = {
    "t.cwl":
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\ninputs: {n: int}\noutputs: []\narguments: [$(inputs.n + 1)]\n",
    "a.cwl": `cwlVersion: v1.2\nclass: Workflow\nrequirements: {InlineJavascriptRequirement: {}}\ninputs: {n: int}\noutputs: []\n${step}`,
  };
  assert.deepEqual(await reportedProblems(files), []);
  assert.match((await reportedProblems(files, "t.cwl")).join("\n"), /^t\.cwl:6:13 javascript-needed/);
});

test("an expression of a requirement of a network is checked for each tool that it applies to", async () => {
  const tools = ["one", "two"].map((input) => [
    `${input}.cwl`,
    `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\ninputs: {${input}: int}\noutputs: []\n`,
  ]);
  const files = {
    ...Object.fromEntries(tools),
    "a.cwl": `cwlVersion: v1.2
class: Workflow
requirements:
  ResourceRequirement: {ramMin: $(inputs.one)}
inputs: {n: int}
outputs: []
steps:
  one: {run: one.cwl, in: {one: n}, out: []}
  two: {run: two.cwl, in: {two: n}, out: []}
`,
  };
  assert.deepEqual(await reportedProblems(files), [
    "a.cwl:4:42 unknown-reference: requirements.ResourceRequirement.ramMin: `inputs` has no field `one` [expected `two`]",
  ]);
});

test("a mistake in an included library is reported in its file", async () => {
  const files = {
    "lib.js": "function f() {\n  return 1 +;\n}\n",
    "a.cwl":
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\nrequirements: {InlineJavascriptRequirement: {expressionLib: [{$include: lib.js}]}}\ninputs: []\noutputs: []\n",
  };
  const [problem] = await reportedProblems(files);
  assert.match(problem ?? "", /^lib\.js:2:13 javascript-syntax/);
});

test("a script that nests deeper than the stack is reported like any other mistake", async () => {
  const [problem] = await reportedProblems({ "a.cwl": tool(`$(${"(".repeat(20_000)}1${")".repeat(20_000)})`) });
  assert.match(problem ?? "", /stack space/);
});
