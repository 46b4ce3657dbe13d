/** Documents that would expand forever: loading them stops. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "./load-document.ts";
import { readerOfTexts, type Texts } from "./testing/reader-of-texts.ts";
import { WORKFLOW, change, withTypes } from "./testing/reported-problems.ts";

const chainOf = (length: number, link: (level: number) => string) => Array.from({ length }, (_, level) => link(level));
const twoOf = (level: number) => (level === 0 ? "{a: int}" : `{a: T${level - 1}, b: T${level - 1}}`);
const oneOf = (level: number) => (level === 999 ? "{a: int}" : `{a: T${level + 1}}`);
const typeList = (types: readonly string[]) =>
  withTypes(`[${types.map((fields, level) => `{name: T${level}, type: record, fields: ${fields}}`).join(", ")}]`);

const ENDLESS: readonly (readonly [string, string, Texts])[] = [
  ["types that double thirty times", "type-limit", typeList(chainOf(30, twoOf))],
  ["a thousand types inside each other", "nesting-limit", typeList(chainOf(1000, oneOf))],
  [
    "a thousand networks inside each other",
    "nesting-limit",
    Object.fromEntries(
      chainOf(1000, (level) => change(WORKFLOW, "t.cwl", `${level + 1}.cwl`)).map((text, level) => [
        level === 0 ? "a.cwl" : `${level}.cwl`,
        text,
      ]),
    ),
  ],
];

for (const [name, code, files] of ENDLESS) {
  test(`loadDocument stops at ${name}`, async () => {
    const { diagnostics } = await loadDocument("file:///w/a.cwl", { reader: readerOfTexts(files) });
    assert.ok(diagnostics.some((diagnostic) => diagnostic.code === code));
  });
}

test("loadDocument refuses a network that has billions of steps, and checks each network in it once", async () => {
  const twice = (level: number) =>
    `- {class: Workflow, id: n${level}, requirements: [{class: SubworkflowFeatureRequirement}], inputs: [], outputs: [], steps: [{id: a, run: "#n${level + 1}", in: [], out: []}, {id: b, run: "#n${level + 1}", in: [], out: []}]}`;
  const last = "- {class: CommandLineTool, id: n40, inputs: [], outputs: []}";
  const text = ["cwlVersion: v1.2", "$graph:", ...chainOf(40, twice), last].join("\n");
  const { process, diagnostics } = await loadDocument("file:///w/a.cwl#n0", {
    reader: readerOfTexts({ "a.cwl": text }),
  });
  assert.equal(process, undefined);
  assert.equal(diagnostics.map(({ code }) => code).join(" "), "step-limit");
});
