import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { inputTemplate } from "./input-template.ts";
import { toolWith } from "./testing/tool-with.ts";

const INPUTS = `
  image: {type: File, doc: "The image: a volume."}
  n: {type: int, default: 3}
  names: string[]
  sample: {type: {type: record, fields: {bam: File, on: boolean}}}
  note: {type: "string?", doc: Free text.}
`;
const EXPECTED = `# Inputs of tool.cwl: A tool

# The image: a volume. (File, required)
image:
  class: File
  path: path/to/file

# (int, default below)
# n: 3

# (string[], required)
names:
  - text

# (record {bam: File, on: boolean}, required)
sample:
  bam:
    class: File
    path: path/to/file
  "on": true

# Free text. (string, optional)
# note: text
`;

describe("inputTemplate", () => {
  it("comments each input, and comments out inputs that may be omitted", async () => {
    assert.equal(inputTemplate(await toolWith(INPUTS, "label: A tool\n"), "tool.cwl", "/a"), EXPECTED);
  });

  it("is an input object", async () => {
    const text = inputTemplate(await toolWith(INPUTS), "tool.cwl", "/a").replaceAll(/^# (\w+: )/gm, "$1");
    const { values, diagnostics } = await loadInputObject("file:///a/inputs.yml", {
      reader: { read: async () => text },
    });
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(JSON.parse(JSON.stringify(values)), {
      image: { class: "File", location: "file:///a/path/to/file" },
      n: 3,
      names: ["text"],
      sample: { bam: { class: "File", location: "file:///a/path/to/file" }, on: true },
      note: "text",
    });
  });

  it("is empty for a tool without inputs", async () => {
    const text = inputTemplate(await toolWith("{}"), "tool.cwl", "/a");
    assert.deepEqual((await loadInputObject("file:///i.yml", { reader: { read: async () => text } })).diagnostics, []);
  });
});
