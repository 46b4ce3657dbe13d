import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadInputObject } from "../document/load-input-object.ts";
import { asWorkflow, loadSoundDocument } from "../document/testing/load-sound-document.ts";
import { readerOfTexts } from "../document/testing/reader-of-texts.ts";
import { overrideRequirements } from "./override-requirements.ts";
import type { Process } from "./process.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: env
hints: {ResourceRequirement: {coresMin: 2}, NetworkAccess: {networkAccess: true}}
inputs: []
outputs: []
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: []
outputs: []
steps:
  one: {run: tool.cwl, in: [], out: []}
  two: {run: tool.cwl, in: [], out: []}
`;
const FILES = { "a.cwl": NETWORK, "tool.cwl": TOOL };

async function overridden(entries: string): Promise<Process> {
  const texts = { ...FILES, "over.yml": `cwltool:overrides:\n${entries}` };
  const { overrides, values, diagnostics } = await loadInputObject("file:///w/over.yml", {
    reader: readerOfTexts(texts),
  });
  assert.deepEqual([diagnostics, Object.keys(values)], [[], []]);
  return overrideRequirements(await loadSoundDocument(FILES), overrides);
}

const CORES = "{requirements: {ResourceRequirement: {coresMin: 7}}}";
const classes = (list: readonly { readonly class: string }[]) => list.map((requirement) => requirement.class);

describe("overrideRequirements", () => {
  it("replaces a hint of a tool that steps share", async () => {
    const { steps } = asWorkflow(await overridden(`  tool.cwl: ${CORES}\n`));
    assert.deepEqual(classes(steps[0]?.run.requirements ?? []), ["ResourceRequirement"]);
    assert.deepEqual(classes(steps[0]?.run.hints ?? []), ["NetworkAccess"]);
    assert.equal(steps[0]?.run, steps[1]?.run);
  });

  it("adds requirements to one step", async () => {
    const { steps } = asWorkflow(await overridden(`  a.cwl#two: ${CORES}\n`));
    const found = steps.map(({ requirements }) => classes(requirements));
    assert.deepEqual(found, [[], ["ResourceRequirement"]]);
  });

  it("does not change other documents", async () => {
    assert.deepEqual(await overridden(`  other.cwl: ${CORES}\n`), asWorkflow(await loadSoundDocument(FILES)));
  });

  it("reports entries without requirements", async () => {
    const reader = readerOfTexts({ "over.yml": "cwltool:overrides: {a.cwl: 5}\n" });
    const { diagnostics } = await loadInputObject("file:///w/over.yml", { reader });
    const messages = diagnostics.map(({ message }) => message);
    assert.deepEqual(messages, ["cwltool:overrides.a.cwl: expected a map with `requirements`, found the number 5"]);
  });
});
