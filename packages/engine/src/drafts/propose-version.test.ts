import assert from "node:assert/strict";
import { it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import { compareContents, nextVersion } from "./propose-version.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
label: Smooth
baseCommand: smooth
inputs:
  image: {type: File, doc: An image, inputBinding: {}}
  width: {type: int, default: 3, inputBinding: {}}
outputs:
  smoothed: {type: File, outputBinding: {glob: out}}
`;

async function content(text: string) {
  const loaded = await loadDocument("file:///a.cwl", { reader: { read: async () => text } });
  assert.ok(loaded.process !== undefined);
  return { process: loaded.process, packed: JSON.stringify(packDocument(loaded)) };
}

const CASES: Readonly<Record<string, readonly [from: string, to: string, reasons: readonly string[]]>> = {
  nothing: ["", "", []],
  "a comment": ["label: Smooth", "label: Smooth # as always", []],
  "a label": ["label: Smooth", "label: Smoother", ["patch: Labels or descriptions have changed"]],
  "a description of an input": ["An image", "A volume", ["patch: Labels or descriptions have changed"]],
  "a default": ["default: 3", "default: 4", ["minor: The default of the input width has changed"]],
  "the program": ["baseCommand: smooth", "baseCommand: smooth2", ["minor: What it does has changed"]],
  "a new input that may be absent": [
    "  width:",
    "  mask: {type: File?}\n  width:",
    ["minor: The input mask was added"],
  ],
  "a new input that must be given": [
    "  width:",
    "  mask: {type: File}\n  width:",
    ["major: The input mask was added and is required"],
  ],
  "an input that accepts more types": [
    "type: int, default",
    "type: float, default",
    ["minor: The input width takes more: float"],
  ],
  "an input that accepts fewer types": [
    "{type: File, doc",
    "{type: 'File[]', doc",
    ["major: The input image was File and is File[]"],
  ],
  "an input that lost its default": [", default: 3", "", ["major: The input width is now required"]],
  "another name of an output": [
    "smoothed:",
    "result:",
    ["major: The output smoothed was removed", "minor: The output result was added"],
  ],
  "an output that may be absent": [
    "{type: File, outputB",
    "{type: File?, outputB",
    ["major: The output smoothed was File and is File?"],
  ],
};

for (const [name, [from, to, reasons]] of Object.entries(CASES))
  it(`compares versions: ${name}`, async () => {
    const next = TOOL.replace(from, to);
    const found = compareContents(await content(TOOL), await content(next));
    assert.deepEqual(
      found.map(({ level, text }) => `${level}: ${text}`),
      reasons,
    );
  });

it("proposes the next free version", () => {
  assert.equal(nextVersion(null, null, []), "1.0.0");
  assert.equal(nextVersion(null, null, ["1.0.0"]), "1.1.0");
  assert.equal(nextVersion("1.2.3", "major", []), "2.0.0");
  assert.equal(nextVersion("1.2.3", "minor", []), "1.3.0");
  assert.equal(nextVersion("1.2.3", "patch", ["1.2.4", "1.2.5"]), "1.2.6");
  assert.equal(nextVersion("2026-spring", "minor", []), "1.0.0");
});
