import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "../load-document.ts";
import { memoryDocumentReader } from "../memory-document-reader.ts";
import { packDocument } from "../pack-document.ts";

const URI = "file:///w/a.cwl";
const load = (text: string) => loadDocument(URI, { reader: memoryDocumentReader({ [URI]: text }) });

/** A workflow of one step, `grow`, with inputs `i` and `k` and outputs `o` and `p`. */
const workflow = (version: string, step: string) => `cwlVersion: ${version}
$namespaces: {cwltool: "http://commonwl.org/cwltool#"}
class: Workflow
requirements: [{class: ScatterFeatureRequirement}, {class: MultipleInputFeatureRequirement}, {class: StepInputExpressionRequirement}]
inputs: {i: Any}
outputs: []
steps:
  grow:
    run: {class: Operation, inputs: {i: Any, k: Any?}, outputs: {o: Any, p: Any}}
    in: {i: i, k: {default: 1}}
    out: [o, p]
${step}`;
const extension = (requirement: string, rest = "") =>
  workflow("v1.2", `    requirements: {cwltool:Loop: ${requirement}}\n${rest}`);

async function loopOf(text: string): Promise<unknown> {
  const { process, diagnostics } = await load(text);
  assert.deepEqual(diagnostics, []);
  assert.ok(process?.class === "Workflow");
  const [step] = process.steps;
  assert.deepEqual([step?.when, step?.requirements], [undefined, []]);
  const withoutPlaces = (key: string, value: unknown) => (key === "position" ? undefined : value);
  return JSON.parse(JSON.stringify(step?.loop, withoutPlaces));
}

const link = { source: ["o"], sourceIsList: false };

const READ = [
  {
    name: "the requirement, by prefix",
    text: extension("{loopWhen: $(inputs.i), loop: {i: o}}"),
    expected: { when: "$(inputs.i)", inputs: [{ ...link, id: "i" }], outputMethod: "last" },
  },
  {
    name: "the requirement in a list, by its full name, as packed documents write it",
    text: workflow(
      "v1.2",
      `    requirements:
      - class: "http://commonwl.org/cwltool#Loop"
        loopWhen: $(null)
        loop: [{id: "#grow/i", loopSource: "#grow/o"}]
        outputMethod: all
`,
    ),
    expected: { when: "$(null)", inputs: [{ ...link, id: "i" }], outputMethod: "all" },
  },
  {
    name: "everything that a loop's input can have",
    text: extension(
      "{loopWhen: $(null), loop: {i: {loopSource: [o, grow/p], linkMerge: merge_flattened, pickValue: " +
        "all_non_null, default: null, valueFrom: $(self)}, k: {valueFrom: $(inputs.k)}}}",
    ),
    expected: {
      when: "$(null)",
      inputs: [
        {
          source: ["o", "p"],
          sourceIsList: true,
          linkMerge: "merge_flattened",
          pickValue: "all_non_null",
          default: null,
          valueFrom: "$(self)",
          id: "i",
        },
        { source: [], sourceIsList: false, valueFrom: "$(inputs.k)", id: "k" },
      ],
      outputMethod: "last",
    },
  },
  ...["v1.3.0-dev1", "v1.3"].map((version) => ({
    name: `the fields of ${version}`,
    text: workflow(
      version,
      "    when: $(inputs.i)\n    loop: {i: o, k: {outputSource: p}}\n    outputMethod: all_iterations\n",
    ),
    expected: {
      when: "$(inputs.i)",
      inputs: [
        { ...link, id: "i" },
        { ...link, source: ["p"], id: "k" },
      ],
      outputMethod: "all",
    },
  })),
];

for (const { name, text, expected } of READ) {
  test(`a loop is read: ${name}`, async () => {
    assert.deepEqual(await loopOf(text), expected);
  });
  test(`a loop is packed: ${name}`, async () => {
    const packed = JSON.stringify(packDocument(await load(text)));
    assert.deepEqual(await loopOf(packed), expected);
    assert.equal(JSON.stringify(packDocument(await load(packed))), packed);
  });
}

const WRONG = [
  {
    name: "no condition",
    text: extension("{loop: {i: o}}"),
    expected: ["12:20 missing-field: steps.grow.requirements.cwltool:Loop: the field `loopWhen` is missing"],
  },
  {
    name: "no condition in v1.3",
    text: workflow("v1.3", "    loop: {i: o}\n"),
    expected: ["12:5 missing-field: steps.grow: `loop` needs `when`, or it never ends"],
  },
  {
    name: "scattered",
    text: extension("{loopWhen: $(null), loop: {i: o}}", "    scatter: i\n"),
    expected: ["13:5 loop: steps.grow: a step cannot have both `scatter` and a loop"],
  },
  {
    name: "two conditions",
    text: extension("{loopWhen: $(null), loop: {i: o}}", "    when: $(null)\n"),
    expected: [
      "13:5 loop: steps.grow: a step cannot have both `when` and `cwltool:Loop`; use `loopWhen` as the condition",
    ],
  },
  {
    name: "names that do not exist",
    text: extension("{loopWhen: $(null), loop: {i: q, l: o}}"),
    expected: [
      "12:64 unknown-loop-source: steps.grow.loop.i: `q` is not an output of the step `grow`; each iteration " +
        "of a loop uses the outputs of its own step",
      "12:67 unknown-loop-input: steps.grow.loop.l: the step `grow` has no input `l`",
    ],
  },
  {
    name: "an output method of the other form",
    text: extension("{loopWhen: $(null), loop: {i: o}, outputMethod: last_iteration}"),
    expected: [
      "12:82 wrong-kind: steps.grow.requirements.cwltool:Loop.outputMethod: expected one of last, all, found the text " +
        '"last_iteration"',
    ],
  },
  {
    name: "fields of v1.3 in v1.2",
    text: workflow("v1.2", "    when: $(null)\n    loop: {i: o}\n"),
    expected: ["13:5 field-version: steps.grow: CWL v1.2 has no field `loop` here"],
  },
  {
    name: "the extension in v1.1",
    text: extension("{loopWhen: $(null), loop: {i: o}}").replace("v1.2", "v1.1").replace("Operation", "ExpressionTool"),
    expected: [
      "9:10 missing-field: steps.grow.run: the field `expression` is missing",
      "12:20 field-version: steps.grow.requirements.cwltool:Loop: CWL v1.1 does not support loops",
    ],
  },
  {
    name: "outside of a step",
    text: extension("{loopWhen: $(null), loop: {i: o}}").replace(
      "class: ScatterFeatureRequirement",
      "class: cwltool:Loop",
    ),
    expected: [
      "4:24 misplaced-loop: requirements.cwltool:Loop: `cwltool:Loop` is allowed only in the `requirements` of a " +
        "workflow step",
    ],
  },
  {
    name: "outputMethod by itself",
    text: workflow("v1.3", "    outputMethod: last_iteration\n"),
    expected: ["12:5 loop: steps.grow: `outputMethod` has no meaning without `loop`"],
  },
];

for (const { name, text, expected } of WRONG) {
  test(`a wrong loop is reported: ${name}`, async () => {
    const { diagnostics } = await load(text);
    assert.deepEqual(
      diagnostics.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`),
      expected,
    );
  });
}
