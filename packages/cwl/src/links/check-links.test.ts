import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "../document/load-document.ts";
import { memoryDocumentReader } from "../document/memory-document-reader.ts";

const operation = (inputs: string, outputs: string) => `{class: Operation, inputs: {${inputs}}, outputs: {${outputs}}}`;

const network = (inputs: string, steps: string, outputs = "", requirements = "[]") => `cwlVersion: v1.2
class: Workflow
requirements: ${requirements}
inputs: {${inputs}}
outputs: {${outputs}}
steps:
${steps}
`;

const SCATTER = "[{class: ScatterFeatureRequirement}]";
const MULTIPLE = "[{class: MultipleInputFeatureRequirement}]";

/** One step `s` that takes `x` of the given type; `link` is the text under `x`. */
const oneStep = (type: string, link: string, more = "") =>
  `  s: {run: ${operation(`x: ${type}`, "o: int")}, in: {x: ${link}}, out: [o]${more}}`;

/** A step that takes `x` and gives an int `o` and a File `q`, in a loop. */
const looped = (loop: string, more = "") =>
  `  s: {run: ${operation("x: int", "o: int, q: File")}, in: {x: a}, out: [o, q], requirements: {"cwltool:Loop": {loopWhen: $(inputs.x), loop: {${loop}}${more}}}}`;

const CASES: Readonly<Record<string, readonly [text: string, ...(readonly string[])]>> = {
  "a link that fits": [network("a: int", oneStep("long", "a"))],
  "an unknown source": [network("aa: int", oneStep("int", "ab")), "error unknown-source at ab"],
  "a list of sources with an unknown one": [
    network("a: int", oneStep("'int[]'", "{source: [a, b]}"), "", MULTIPLE),
    "error unknown-source at source",
  ],
  "types that never fit": [network("a: File", oneStep("int", "a")), "error type-mismatch at a"],
  "types that may fit": [network("a: 'int?'", oneStep("int", "a")), "warning type-mismatch at a"],
  "a default in place of null": [network("a: 'int?'", oneStep("int", "{source: a, default: 1}"))],
  "a condition in place of null": [network("a: 'int?'", oneStep("int", "a", ", when: $(inputs.x)"))],
  "valueFrom in place of types": [
    network(
      "a: File",
      oneStep("int", "{source: a, valueFrom: $(self.size)}"),
      "",
      "[{class: StepInputExpressionRequirement}]",
    ),
  ],
  "valueFrom without requirement": [
    network("a: File", oneStep("int", "{source: a, valueFrom: $(self.size)}")),
    "error missing-requirement at s",
  ],
  "a list into a single input": [network("a: 'int[]'", oneStep("int", "a")), "error type-mismatch at a"],
  "a scattered list": [network("a: 'int[]'", oneStep("int", "a", ", scatter: x"), "", SCATTER)],
  "a scatter without requirement": [
    network("a: 'int[]'", oneStep("int", "a", ", scatter: x")),
    "error missing-requirement at s",
  ],
  "a scatter over a single value": [
    network("a: int", oneStep("int", "a", ", scatter: x"), "", SCATTER),
    "error type-mismatch at a",
  ],
  "an unknown scatter": [
    network("a: int", oneStep("int", "a", ", scatter: y"), "", SCATTER),
    "error unknown-scatter at y",
  ],
  "several scatters without method": [
    network(
      "a: 'int[]'",
      `  s: {run: ${operation("x: int, y: int", "")}, in: {x: a, y: a}, out: [], scatter: [x, y]}`,
      "",
      SCATTER,
    ),
    "error missing-scatter-method at scatter",
  ],
  "the output of a scattered step": [
    network("a: 'int[]'", oneStep("int", "a", ", scatter: x"), "r: {type: int, outputSource: s/o}", SCATTER),
    "error type-mismatch at s/o",
  ],
  "the output of a nested scatter": [
    network(
      "a: 'int[]'",
      `  s: {run: ${operation("x: int, y: int", "o: int")}, in: {x: a, y: a}, out: [o], scatter: [x, y], scatterMethod: nested_crossproduct}`,
      "r: {type: {type: array, items: 'int[]'}, outputSource: s/o}",
      SCATTER,
    ),
  ],
  "the output of a step that may be skipped": [
    network("a: int", oneStep("int", "a", ", when: $(null)"), "r: {type: int, outputSource: s/o}"),
    "warning type-mismatch at s/o",
  ],
  "two sources": [network("a: int, b: int", oneStep("'int[]'", "{source: [a, b]}"), "", MULTIPLE)],
  "two sources without requirement": [
    network("a: int, b: int", oneStep("'int[]'", "{source: [a, b]}")),
    "error missing-requirement at s",
  ],
  "two lists in one": [
    network("a: 'int[]', b: 'int[]'", oneStep("'int[]'", "{source: [a, b], linkMerge: merge_flattened}"), "", MULTIPLE),
  ],
  "two lists side by side": [
    network("a: 'int[]', b: 'int[]'", oneStep("'int[]'", "{source: [a, b]}"), "", MULTIPLE),
    "error type-mismatch at source",
    "error type-mismatch at source",
  ],
  "a list of one source": [network("a: int", oneStep("'int[]'", "[a]"))],
  "the first value that is not null": [
    network("a: 'int?', b: int", oneStep("int", "{source: [a, b], pickValue: first_non_null}"), "", MULTIPLE),
  ],
  "all values that are not null": [
    network("a: 'int?', b: int", oneStep("'int[]'", "{source: [a, b], pickValue: all_non_null}"), "", MULTIPLE),
  ],
  "a required input without link": [
    network("a: int", `  s: {run: ${operation("x: int, y: 'int?', z: {type: int, default: 1}", "")}, in: [], out: []}`),
    "error missing-input at in",
  ],
  "an input that the tool does not know": [network("a: int", `  s: {run: ${operation("", "")}, in: {x: a}, out: []}`)],
  "an output that the tool lacks": [
    network("a: int", `  s: {run: ${operation("", "o: int")}, in: [], out: [p]}`),
    "error unknown-output at out",
  ],
  "an output without source": [
    network("", `  s: {run: ${operation("", "")}, in: [], out: []}`, "r: int"),
    "warning missing-source at r",
  ],
  "steps that wait for each other": [
    network(
      "",
      ["a", "b", "c"]
        .map(
          (id, index, ids) =>
            `  ${id}: {run: ${operation("x: int", "o: int")}, in: {x: ${ids.at(index - 1)}/o}, out: [o]}`,
        )
        .join("\n"),
    ),
    "error step-cycle at a",
  ],
  "a step that waits for itself": [network("", oneStep("int", "s/o")), "error step-cycle at s"],
  "undeclared secondary files": [
    network(
      "a: File, b: {type: File, secondaryFiles: .bai}",
      [
        oneStep("{type: File, secondaryFiles: [.bai, .x?]}", "a"),
        oneStep("{type: File, secondaryFiles: .bai}", "b").replace("s:", "t:"),
      ].join("\n"),
    ),
    "warning secondary-files at a",
  ],
  "a list of lists scattered over twice": [
    network(
      "a: {type: {type: array, items: {type: array, items: int}}}",
      oneStep("int", "a", ", scatter: [x, x], scatterMethod: nested_crossproduct"),
      "",
      SCATTER,
    ),
  ],
  "a loop that fits": [network("a: int", looped("x: o"))],
  "a list of all iterations": [
    network("a: int", looped("x: o", ", outputMethod: all"), "r: {type: 'int[]', outputSource: s/o}"),
  ],
  "the last iteration alone is not a list": [
    network("a: int", looped("x: o"), "r: {type: 'int[]', outputSource: s/o}"),
    "error type-mismatch at s/o",
  ],
  "there may be no iteration": [
    network("a: int", looped("x: o"), "r: {type: int, outputSource: s/o}"),
    "warning type-mismatch at s/o",
  ],
  "a loop from one type to another": [network("a: int", looped("x: q")), "error type-mismatch at q"],
  "features that the links of a loop use": [
    network("a: int", looped("x: {loopSource: [o, q], pickValue: first_non_null, valueFrom: $(self)}")),
    "error missing-requirement at s",
    "error missing-requirement at s",
  ],
};

const check = async (text: string) => {
  const { diagnostics } = await loadDocument("file:///w/n.cwl", {
    reader: memoryDocumentReader({ "file:///w/n.cwl": text }),
  });
  return diagnostics;
};

/** The part of a text from a position up to the next separator. */
const wordAt = (text: string, line: number, column: number) => {
  const row = text.split("\n").at(line - 1) ?? "";
  return /^[^\s:,}\]]+/.exec(row.slice(column - 1))?.[0];
};

for (const [name, [text, ...expected]] of Object.entries(CASES))
  test(`checkLinks: ${name}`, async () => {
    const found = (await check(text)).map(
      ({ line, column, severity, code }) => `${severity} ${code} at ${wordAt(text, line, column)}`,
    );
    assert.deepEqual(found, expected);
  });

test("checkLinks names the steps of a cycle in order", async () => {
  const step = (id: string, source: string) =>
    `  ${id}: {run: ${operation("x: Any", "o: Any")}, in: {x: ${source}/o}, out: [o]}`;
  const [finding] = await check(
    network("", [step("free", "b"), step("a", "c"), step("b", "a"), step("c", "b")].join("\n")),
  );
  assert.equal(finding?.message, "steps.a: the steps wait for each other: a -> b -> c -> a");
});

test("checkLinks requires of a nested network only what the enclosing networks do not declare", async () => {
  const inner = `{class: Workflow, inputs: {l: 'int[]'}, outputs: [], steps: {i: {run: ${operation("x: int", "")}, scatter: x, in: {x: l}, out: []}}}`;
  const outer = (requirements: string) =>
    network("l: 'int[]'", `  o: {run: ${inner}, in: {l: l}, out: []}`, "", requirements);
  const codes = async (requirements: string) =>
    (await check(outer(requirements))).map(({ message }) => message.split(" needs ")[1]);
  assert.deepEqual(await codes("[]"), ["SubworkflowFeatureRequirement", "ScatterFeatureRequirement"]);
  assert.deepEqual(await codes("[{class: SubworkflowFeatureRequirement}, {class: ScatterFeatureRequirement}]"), []);
});

test("checkLinks checks a chain of 10,000 steps without delay", async () => {
  const chain = Array.from(
    { length: 10_000 },
    (_, index) => `  s${index}: {run: t.cwl, in: {x: ${index === 9_999 ? "a" : `s${index + 1}/o`}}, out: [o]}`,
  );
  const reader = memoryDocumentReader({
    "file:///w/n.cwl": network("a: int", chain.join("\n")),
    "file:///w/t.cwl": "cwlVersion: v1.2\nclass: Operation\ninputs: {x: int}\noutputs: {o: int}\n",
  });
  const { diagnostics } = await loadDocument("file:///w/n.cwl", { reader });
  assert.deepEqual(diagnostics, []);
});
