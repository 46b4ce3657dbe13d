import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "../load-document.ts";
import { memoryDocumentReader } from "../memory-document-reader.ts";
import { packDocument } from "../pack-document.ts";
import { asWorkflow, loadSoundDocument, plain } from "../testing/load-sound-document.ts";
import { reportedProblems } from "../testing/reported-problems.ts";

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
  const [step] = asWorkflow(await loadSoundDocument({ "a.cwl": text })).steps;
  assert.deepEqual([step?.when, step?.requirements], [undefined, []]);
  return plain(step?.loop);
}

const link = { source: ["o"], sourceIsList: false };

const READ: Readonly<Record<string, readonly [text: string, expected: unknown]>> = {
  "the requirement, by prefix": [
    extension("{loopWhen: $(inputs.i), loop: {i: o}}"),
    { when: "$(inputs.i)", inputs: [{ ...link, id: "i" }], outputMethod: "last" },
  ],
  "the requirement in a list, by its full name, as packed documents write it": [
    workflow(
      "v1.2",
      `    requirements:
      - class: "http://commonwl.org/cwltool#Loop"
        loopWhen: $(null)
        loop: [{id: "#grow/i", loopSource: "#grow/o"}]
        outputMethod: all
`,
    ),
    { when: "$(null)", inputs: [{ ...link, id: "i" }], outputMethod: "all" },
  ],
  "everything that a loop's input can have": [
    extension(
      "{loopWhen: $(null), loop: {i: {loopSource: [o, grow/p], linkMerge: merge_flattened, pickValue: " +
        "all_non_null, default: null, valueFrom: $(self)}, k: {valueFrom: $(inputs.k)}}}",
    ),
    {
      when: "$(null)",
      inputs: [
        {
          ...{ source: ["o", "p"], sourceIsList: true, linkMerge: "merge_flattened", pickValue: "all_non_null" },
          ...{ default: null, valueFrom: "$(self)", id: "i" },
        },
        { source: [], sourceIsList: false, valueFrom: "$(inputs.k)", id: "k" },
      ],
      outputMethod: "last",
    },
  ],
  ...Object.fromEntries(
    ["v1.3.0-dev1", "v1.3"].map((version) => [
      `the fields of ${version}`,
      [
        workflow(
          version,
          "    when: $(inputs.i)\n    loop: {i: o, k: {outputSource: p}}\n    outputMethod: all_iterations\n",
        ),
        {
          when: "$(inputs.i)",
          inputs: [
            { ...link, id: "i" },
            { ...link, source: ["p"], id: "k" },
          ],
          outputMethod: "all",
        },
      ],
    ]),
  ),
};

for (const [name, [text, expected]] of Object.entries(READ)) {
  test(`a loop is read: ${name}`, async () => assert.deepEqual(await loopOf(text), expected));
  test(`a loop is packed: ${name}`, async () => {
    const packed = JSON.stringify(packDocument(await load(text)));
    assert.deepEqual(await loopOf(packed), expected);
    assert.equal(JSON.stringify(packDocument(await load(packed))), packed);
  });
}

const WRONG: Readonly<Record<string, readonly [text: string, expected: string | readonly string[]]>> = {
  "no condition": [
    extension("{loop: {i: o}}"),
    "12:20 missing-field: steps.grow.requirements.cwltool:Loop: the field `loopWhen` is missing",
  ],
  "no condition in v1.3": [
    workflow("v1.3", "    loop: {i: o}\n"),
    "12:5 missing-field: steps.grow: `loop` needs `when`, or it never ends",
  ],
  scattered: [
    extension("{loopWhen: $(null), loop: {i: o}}", "    scatter: i\n"),
    "13:5 loop: steps.grow: a step cannot have both `scatter` and a loop",
  ],
  "two conditions": [
    extension("{loopWhen: $(null), loop: {i: o}}", "    when: $(null)\n"),
    "13:5 loop: steps.grow: a step cannot have both `when` and `cwltool:Loop`; use `loopWhen` as the condition",
  ],
  "names that do not exist": [
    extension("{loopWhen: $(null), loop: {i: q, l: o}}"),
    [
      "12:64 unknown-loop-source: steps.grow.loop.i: `q` is not an output of the step `grow`; each iteration of a loop uses the outputs of its own step",
      "12:67 unknown-loop-input: steps.grow.loop.l: the step `grow` has no input `l`",
    ],
  ],
  "an output method of the other form": [
    extension("{loopWhen: $(null), loop: {i: o}, outputMethod: last_iteration}"),
    '12:82 wrong-kind: steps.grow.requirements.cwltool:Loop.outputMethod: expected one of last, all, found the text "last_iteration"',
  ],
  "fields of v1.3 in v1.2": [
    workflow("v1.2", "    when: $(null)\n    loop: {i: o}\n"),
    "13:5 field-version: steps.grow: CWL v1.2 has no field `loop` here",
  ],
  "the extension in v1.1": [
    extension("{loopWhen: $(null), loop: {i: o}}").replace("v1.2", "v1.1").replace("Operation", "ExpressionTool"),
    [
      "9:10 missing-field: steps.grow.run: the field `expression` is missing",
      "12:20 field-version: steps.grow.requirements.cwltool:Loop: CWL v1.1 does not support loops",
    ],
  ],
  "outside of a step": [
    extension("{loopWhen: $(null), loop: {i: o}}").replace("class: ScatterFeatureRequirement", "class: cwltool:Loop"),
    "4:24 misplaced-loop: requirements.cwltool:Loop: `cwltool:Loop` is allowed only in the `requirements` of a workflow step",
  ],
  "outputMethod by itself": [
    workflow("v1.3", "    outputMethod: last_iteration\n"),
    "12:5 loop: steps.grow: `outputMethod` has no meaning without `loop`",
  ],
};

for (const [name, [text, expected]] of Object.entries(WRONG))
  test(`a wrong loop is reported: ${name}`, async () => {
    const found = await reportedProblems({ "a.cwl": text });
    const shown = found.map((problem) => problem.replace(/ \[.*\]$/, ""));
    assert.deepEqual(
      shown,
      [expected].flat().map((problem) => `a.cwl:${problem}`),
    );
  });
