import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, it, test } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { SUITE, withoutSuite as skip } from "@weft/cwl/testing/conformance-suite.ts";
import { groupSteps } from "./group-steps.ts";
import { ungroupStep } from "./ungroup-step.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: align
inputs: {reads: File, index: File?, k: int?}
outputs: {bam: {type: File, outputBinding: {glob: x}}}
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs:
  reads: File
  bam: File
outputs:
  last:
    type: File
    outputSource: last/bam
steps:
  # Finds the place of each read.
  align: # the slow one
    run: tool.cwl
    in:
      reads: reads # one per sample
      k: {default: 3}
    out: [bam]
  sort:
    run: tool.cwl
    in: {reads: align/bam, index: bam}
    out: [bam]

  last:
    run: tool.cwl
    in:
      reads: sort/bam
      index: align/bam
    out: [bam]
`;

const GROUPED = `cwlVersion: v1.2
class: Workflow
inputs:
  reads: File
  bam: File
outputs:
  last:
    type: File
    outputSource: last/bam
steps:

  last:
    run: tool.cwl
    in:
      reads: both/bam
      index: both/bam_2
    out: [bam]
  both:
    run:
      class: Workflow
      inputs:
        reads: File
        bam: File
      outputs:
        bam:
          type: File
          outputSource: sort/bam
        bam_2:
          type: File
          outputSource: align/bam
      steps:
        # Finds the place of each read.
        align: # the slow one
          run: tool.cwl
          in:
            reads: reads # one per sample
            k: {default: 3}
          out: [bam]
        sort:
          run: tool.cwl
          in: {reads: align/bam, index: bam}
          out: [bam]
    in:
      reads: reads
      bam: bam
    out: [bam, bam_2]
requirements:
  SubworkflowFeatureRequirement: {}
`;

async function load(text: string, at = "file:///network.cwl") {
  const read = async (uri: string) => {
    if (uri === at) return text;
    if (uri === "file:///tool.cwl") return TOOL;
    return existsSync(new URL(uri)) ? readFileSync(new URL(uri), "utf8") : undefined;
  };
  const { process, diagnostics } = await loadDocument(at, { reader: { read } });
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return { network: process?.class === "Workflow" ? process : undefined, errors };
}

async function grouped(text: string, steps: readonly string[], name = "both") {
  const { network } = await load(text);
  assert.ok(network !== undefined);
  return groupSteps(text, { network, steps, name });
}

async function textOf(text: string, steps: readonly string[]): Promise<string> {
  const result = await grouped(text, steps);
  assert.ok("text" in result, JSON.stringify(result));
  return result.text;
}

function dissolved(text: string): string {
  const result = ungroupStep(text, "both");
  return "text" in result ? result.text : assert.fail(result.refusal);
}

describe("a group", () => {
  it("moves steps with their comments, and makes ports of links that cross its border", async () => {
    const text = await textOf(NETWORK, ["align", "sort"]);
    assert.equal(text, GROUPED);
    assert.deepEqual((await load(text)).errors, []);
  });

  it("is dissolved, and a step whose name is taken gets another one", async () => {
    const renamed = GROUPED.replaceAll(/\blast\b/g, "align");
    const text = dissolved(renamed);
    const { network, errors } = await load(text);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      network?.steps.map(({ id, in: inputs }) => [
        id,
        ...inputs.map(({ id: input, source }) => `${input}=${source.join()}`),
      ]),
      [
        ["align", "reads=sort/bam", "index=align_2/bam"],
        ["align_2", "reads=reads", "k="],
        ["sort", "reads=align_2/bam", "index=bam"],
      ],
    );
    assert.match(text, /# Finds the place of each read\.\n {2}align_2: # the slow one/);
  });

  it("keeps the meaning for all steps, and for steps in lists or JSON", async () => {
    const list = NETWORK.replaceAll(/^ {2}(align|sort|last):( #.*)?\n {4}run/gm, "  - id: $1$2\n    run");
    const json = JSON.stringify((await import("yaml")).parse(NETWORK), undefined, 2);
    for (const text of [NETWORK, list, json, NETWORK.replaceAll("\n", "\r\n")])
      for (const steps of [["align", "sort", "last"], ["align"], ["sort", "last"]]) {
        const before = await load(text);
        assert.deepEqual(before.errors, [], text);
        const result = await textOf(text, steps);
        assert.deepEqual((await load(result)).errors, [], result);
        const restored = dissolved(result);
        const after = await load(restored);
        assert.deepEqual(after.errors, [], restored);
        assert.deepEqual(linksOf(after.network), linksOf(before.network), restored);
      }
  });

  it("is refused if it would create a cycle, or contains more than its steps", async () => {
    assert.deepEqual(await grouped(NETWORK, ["align", "last"]), {
      refusal: "sort is between these steps; select it too.",
    });
    const refusals: readonly (readonly [change: (text: string) => string, refusal: RegExp])[] = [
      [(text) => text.replace("  both:\n", "  both:\n    scatter: reads\n"), /once for each item/],
      [
        (text) =>
          text.replace(
            "      class: Workflow\n",
            "      class: Workflow\n      requirements: {ResourceRequirement: {coresMin: 2}}\n",
          ),
        /ResourceRequirement/,
      ],
      [
        (text) => text.replace("      bam: bam\n    out", "      bam: {source: bam, valueFrom: $(self)}\n    out"),
        /expression/,
      ],
    ];
    for (const [change, refusal] of refusals) {
      const result = ungroupStep(change(GROUPED), "both");
      assert.match("refusal" in result ? result.refusal : result.text, refusal);
    }
    assert.match(JSON.stringify(ungroupStep(NETWORK, "last")), /document of their own/);
  });

  it("passes on several sources and values, if it can", async () => {
    const picked = "reads: {source: [reads, bam], pickValue: first_non_null}";
    const text = GROUPED.replace("reads: reads\n      bam: bam\n", `${picked}\n`);
    assert.ok(dissolved(text.replace("index: bam}", "index: reads}")).includes(`${picked} # one per sample`));
    const optional = GROUPED.replace("      bam: bam\n    out", "    out").replace(
      "bam: File\n      ",
      "bam: File?\n      ",
    );
    const { network } = await load(dissolved(optional));
    assert.equal(
      network?.steps
        .find(({ id }) => id === "sort")
        ?.in.map(({ id }) => id)
        .join(" "),
      "reads",
    );
  });
});

type Loaded = Awaited<ReturnType<typeof load>>["network"];

function linksOf(network: Loaded) {
  const steps = (network?.steps ?? []).map(({ id, in: inputs }) => ({
    id,
    inputs: Object.fromEntries(inputs.map(({ id: name, source, default: value }) => [name, { source, value }])),
  }));
  const outputs = network?.outputs.map(({ id, outputSource }) => [id, outputSource?.source]);
  return { steps: steps.toSorted((a, b) => (a.id < b.id ? -1 : 1)), outputs };
}

test("networks of the conformance suite mean the same with a group and after it is dissolved", { skip }, async () => {
  let groups = 0;
  let dissolved = 0;
  for (const file of globSync("**/*.cwl", { cwd: SUITE }).map((name) => new URL(name, SUITE).href)) {
    const text = readFileSync(new URL(file), "utf8");
    const before = await load(text, file);
    if (before.network === undefined || before.errors.length > 0 || before.network.steps.length === 0) continue;
    const steps = before.network.steps.map(({ id }) => id);
    const result = groupSteps(text, { network: before.network, steps, name: "drawn_group" });
    if ("refusal" in result) continue;
    groups += 1;
    assert.deepEqual((await load(result.text, file)).errors, [], `${file}\n${result.text}`);
    const restored = ungroupStep(result.text, "drawn_group");
    if ("refusal" in restored) continue;
    dissolved += 1;
    const after = await load(restored.text, file);
    assert.deepEqual(after.errors, [], `${file}\n${restored.text}`);
    assert.deepEqual(linksOf(after.network), linksOf(before.network), `${file}\n${restored.text}`);
  }
  assert.ok(groups > 60 && dissolved > 60, `${groups} groups, ${dissolved} dissolved`);
});
