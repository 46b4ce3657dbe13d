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

/** Arguments without findings; some use a library. */
const SOUND: readonly (readonly [argument: string, library?: string])[] = [
  ["$(inputs.text.length)"],
  ["$(inputs.text.split(',').concat(inputs.reads.map(function (f) { return f.basename; })))"],
  ["$(inputs.maybe.basename)"],
  ["$(inputs.either.path)"],
  ["$(inputs.open.a.b[3].c)"],
  ["$(inputs['first-word'])"],
  ["$(inputs.reads[0].nameroot)"],
  ["$(inputs.nope || 'none')"],
  ["${ if ('nope' in inputs) return inputs.nope; return null; }"],
  ["${ return inputs.nope === undefined ? 1 : inputs.nope; }"],
  ["${ var f = inputs.reads[0]; f.mine = 1; inputs.record.extra = 2; return inputs.record.extra; }"],
  ["${ var f = (a, {b}) => a + b; try { f(1, {b: 2}); } catch (e) { return e.message; } return f; }"],
  ["${ return typeof window === 'undefined' ? 1 : window; }"],
  ["$(JSON.stringify([Math.max(1, 2), parseInt('3'), new Date(0)]))"],
  ["${ return [1].map(function (self) { return self.anything; }); }"],
  ["${ for (var i = 0; i < 3; i++) { if (i == 2) { return i; } } }"],
  ["${ throw new Error('stop'); }"],
  ["\\$(not.an.expression) \\${nor this}"],
  ["$(null)"],
  ["$(inputs.record.hasOwnProperty('left'))"],
  ["$(twice(2) + total)", "function twice(x) { return 2 * x; }\nvar total = 3;"],
  ["$(_.keys(inputs))", "(function () { this._ = {keys: Object.keys}; }).call(this);"],
];

describe("sound expressions have no findings", () => {
  for (const [argument, library] of SOUND)
    test(argument, async () => assert.deepEqual(await reportedProblems({ "a.cwl": tool(argument, library) }), []));
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
