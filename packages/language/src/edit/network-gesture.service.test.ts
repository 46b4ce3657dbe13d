import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, it, test } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { SUITE, withoutSuite as skip } from "@weft/cwl/testing/conformance-suite.ts";
import { applyGesture, type NetworkGesture } from "./network-gesture.ts";
import { YamlText } from "./yaml-text.ts";

const NETWORK = `cwlVersion: v1.2
class: Workflow
# What goes in.
inputs:
  reads: File # one per sample
outputs:
  bam:
    type: File
    outputSource: align/bam
steps:
  align: # the slow one
    run: align.cwl
    in:
      reads: reads
    out: [bam]
`;

const CASES: Readonly<
  Record<string, readonly [gesture: NetworkGesture, added: readonly string[], removed?: readonly string[]]>
> = {
  "a step": [
    { kind: "add-step", name: "sort", run: "sort.cwl", outputs: ["sorted"], isNetwork: false },
    ["  sort:", "    run: sort.cwl", "    in: {}", "    out: [sorted]"],
  ],
  "an input": [{ kind: "add-input", name: "threads", type: "int" }, ["  threads: int"]],
  "an output from a step output that was not listed": [
    { kind: "add-output", name: "log", type: "File?", source: "align/log" },
    ["  log:", "    type: File?", "    outputSource: align/log", "    out: [bam, log]"],
    ["    out: [bam]"],
  ],
  "a link": [{ kind: "link", target: { step: "align", input: "index" }, sources: ["reads"] }, ["      index: reads"]],
  "a link of two sources": [
    {
      kind: "link",
      target: { step: "align", input: "reads" },
      sources: ["reads", "more"],
      linkMerge: "merge_flattened",
    },
    [
      "      reads: {source: [reads, more], linkMerge: merge_flattened}",
      "requirements:",
      "  MultipleInputFeatureRequirement: {}",
    ],
    ["      reads: reads"],
  ],
  "a link that scatters": [
    { kind: "link", target: { step: "align", input: "reads" }, sources: ["all"], scatters: true },
    ["      reads: all", "    scatter: reads", "requirements:", "  ScatterFeatureRequirement: {}"],
    ["      reads: reads"],
  ],
  "a link that is removed": [
    { kind: "link", target: { step: "align", input: "reads" }, sources: [] },
    ["    in: {}"],
    ["    in:", "      reads: reads"],
  ],
  "a value": [{ kind: "value", step: "align", input: "k", value: 3 }, ["      k:", "        default: 3"]],
  "a label": [
    { kind: "field", of: "step", name: "align", field: "label", value: "Align: all" },
    ['    label: "Align: all"'],
  ],
  "another type": [
    { kind: "field", of: "input", name: "reads", field: "type", value: "File[]" },
    ["  reads: File[] # one per sample"],
    ["  reads: File # one per sample"],
  ],
  "a label of an input": [
    { kind: "field", of: "input", name: "reads", field: "label", value: "Reads" },
    ["  reads: {type: File, label: Reads} # one per sample"],
    ["  reads: File # one per sample"],
  ],
  "a removed step, with the links from it": [
    { kind: "remove", of: "step", name: "align" },
    ["outputs: {}", "steps: {}"],
    [
      "outputs:",
      "  bam:",
      "    type: File",
      "    outputSource: align/bam",
      "steps:",
      "  align: # the slow one",
      "    run: align.cwl",
      "    in:",
      "      reads: reads",
      "    out: [bam]",
    ],
  ],
  "a removed input": [
    { kind: "remove", of: "input", name: "reads" },
    ["inputs: {}", "    in: {}"],
    ["inputs:", "  reads: File # one per sample", "    in:", "      reads: reads"],
  ],
  "a copy": [
    { kind: "duplicate", of: "step", name: "align", copy: "align_2" },
    ["  align_2:", "    run: align.cwl", "    in:", "      reads: reads", "    out: [bam]"],
  ],
  "a copy of an input": [{ kind: "duplicate", of: "input", name: "reads", copy: "reads_2" }, ["  reads_2: File"]],
  "a copy of an output": [
    { kind: "duplicate", of: "output", name: "bam", copy: "bam_2" },
    ["  bam_2:", "    type: File", "    outputSource: align/bam"],
  ],
  "a note": [{ kind: "doc", value: "For trios.\nNot for cohorts." }, ["doc: |-", "  For trios.", "  Not for cohorts."]],
  "a note of a step": [{ kind: "field", of: "step", name: "align", field: "doc", value: "Slow." }, ["    doc: Slow."]],
  "a note of an input": [
    { kind: "field", of: "input", name: "reads", field: "doc", value: "In pairs.\nSorted." },
    ['  reads: {type: File, doc: "In pairs.\\nSorted."} # one per sample'],
    ["  reads: File # one per sample"],
  ],
};

describe("a gesture in the drawing changes only its lines", () => {
  for (const [name, [gesture, added, removed = []]] of Object.entries(CASES))
    it(name, () => {
      const text = applyGesture(NETWORK, gesture) ?? "";
      assert.deepEqual(linesOnlyIn(NETWORK, text), removed);
      assert.deepEqual(linesOnlyIn(text, NETWORK).toSorted(), added.toSorted());
      assert.ok(YamlText.parse(text) !== undefined);
    });

  it("stops scattering over removed inputs", () => {
    const gestures: readonly NetworkGesture[] = [
      { kind: "link", target: { step: "align", input: "reads" }, sources: ["all"], scatters: true },
      { kind: "link", target: { step: "align", input: "names" }, sources: ["names"], scatters: true },
      { kind: "remove", of: "input", name: "all" },
    ];
    const text = gestures.reduce((before, gesture) => applyGesture(before, gesture) ?? "", NETWORK);
    assert.match(text, /scatter: names\n/);
    assert.doesNotMatch(text, /scatterMethod|all/);
  });

  it("removes one source after the other and keeps the way in which the others are combined", () => {
    const target = { step: "align", input: "reads" };
    const gestures: readonly NetworkGesture[] = [
      { kind: "link", target, sources: ["a", "b", "c"], pickValue: "first_non_null" },
      { kind: "unlink", target, source: "a" },
      { kind: "unlink", target, source: "b" },
    ];
    const text = gestures.reduce((before, gesture) => applyGesture(before, gesture) ?? "", NETWORK);
    assert.match(text, /reads: \{source: \[c\], pickValue: first_non_null\}/);
    const empty = applyGesture(text, { kind: "unlink", target, source: "c" }) ?? "";
    assert.match(empty, /in: \{\}/);
    const output = applyGesture(empty, { kind: "unlink", target: { output: "bam" }, source: "align/bam" }) ?? "";
    assert.match(output, /bam:\n {4}type: File\nsteps/, "the output can get another source");
  });

  it("refuses a text that is not a network", () => {
    for (const text of ["a: [", "class: CommandLineTool\n", "[]", ""])
      assert.equal(applyGesture(text, { kind: "add-input", name: "x", type: "int" }), undefined);
  });
});

/** Lines of a text that another one does not have, counted. */
function linesOnlyIn(text: string, other: string): string[] {
  const counts = new Map<string, number>();
  for (const line of other.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  return text.split("\n").filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

test("whole numbers of 64 bits keep their digits in a rewritten entry", () => {
  const given = "  seed: {type: long, default: 9007199254740993}";
  const text = NETWORK.replace("  reads: File # one per sample", given);
  const copied = applyGesture(text, { kind: "duplicate", of: "input", name: "seed", copy: "seed_2" }) ?? "";
  assert.match(copied, /seed_2:[^]*default: 9007199254740993/);
  const largest = 2n ** 63n - 1n;
  const set = { kind: "value", step: "align", input: "k", value: [largest, 3] } as const;
  assert.match(applyGesture(text, set) ?? "", /k:\n +default: \[\s*9223372036854775807, 3\s*\]/);
  const steps = { align: { run: "align.cwl", in: {}, out: [] } };
  const json = JSON.stringify({ cwlVersion: "v1.2", class: "Workflow", inputs: {}, outputs: {}, steps }, null, 2);
  assert.match(applyGesture(json, set) ?? "", /9223372036854775807/);
});

test("every network of the conformance suite keeps all other lines, and matches the drawing", { skip }, async () => {
  const files = globSync("**/*.cwl", { cwd: SUITE }).map((file) => new URL(file, SUITE));
  let networks = 0;
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    assert.equal(YamlText.parse(text)?.text ?? text, text, "unchanged without an edit");
    const before = await load(file, text);
    if (before?.class !== "Workflow") continue;
    networks += 1;
    const steps = before.steps.map(({ id }) => id);
    await checkGestures(file, text, steps);
  }
  assert.ok(networks > 40, `${networks} networks`);
});

async function checkGestures(file: URL, text: string, steps: readonly string[]): Promise<void> {
  const added = applyGesture(text, { kind: "add-input", name: "drawn_input", type: "int?" });
  assert.ok(added !== undefined, file.href);
  assert.ok(linesOnlyIn(text, added).length <= 1, `${file.href}\n${linesOnlyIn(text, added).join("\n")}`);
  assert.ok(
    (await load(file, added))?.inputs.some(({ id }) => id === "drawn_input"),
    file.href,
  );
  const step = applyGesture(added, {
    kind: "add-step",
    ...{ name: "drawn_step", run: "drawn.cwl", outputs: ["drawn"], isNetwork: false },
  });
  assert.ok(step !== undefined && linesOnlyIn(added, step).length <= 1, file.href);
  const linked = applyGesture(step, {
    kind: "link",
    ...{ target: { step: "drawn_step", input: "a" }, sources: ["drawn_input"] },
  });
  const [drawn] = await stepsOf(file, linked ?? "", "drawn_step");
  assert.deepEqual(drawn?.in[0]?.source, ["drawn_input"], file.href);
  const ids = (await stepsOf(file, linked ?? "")).map(({ id }) => id);
  assert.deepEqual(ids, [...steps, "drawn_step"], file.href);
  const removed = applyGesture(linked ?? "", { kind: "remove", of: "step", name: "drawn_step" });
  const back = applyGesture(removed ?? "", { kind: "remove", of: "input", name: "drawn_input" }) ?? "";
  assert.ok(linesOnlyIn(text, back).length <= 2, `${file.href}\n${linesOnlyIn(text, back).join("\n")}`);
  for (const name of steps) {
    const duplicated = applyGesture(text, { kind: "duplicate", of: "step", name, copy: "drawn_copy" });
    assert.ok(duplicated !== undefined && linesOnlyIn(text, duplicated).length <= 1, file.href);
  }
}

async function stepsOf(file: URL, text: string, name?: string) {
  const process = await load(file, text);
  const steps = process?.class === "Workflow" ? process.steps : [];
  return name === undefined ? steps : steps.filter(({ id }) => id === name);
}

async function load(file: URL, text: string) {
  const drawn =
    "cwlVersion: v1.0\nclass: ExpressionTool\ninputs: {a: int?}\noutputs: {drawn: int?}\nexpression: $({})\n";
  const read = async (uri: string) => {
    if (uri === file.href) return text;
    if (uri.endsWith("/drawn.cwl")) return drawn;
    return existsSync(new URL(uri)) ? readFileSync(new URL(uri), "utf8") : undefined;
  };
  return (await loadDocument(file.href, { reader: { read } })).process;
}
