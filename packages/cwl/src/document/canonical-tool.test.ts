import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadDocument } from "./load-document.ts";
import { memoryDocumentReader } from "./memory-document-reader.ts";
import { packDocument } from "./pack-document.ts";
import { canonicalTool } from "./canonical-tool.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
label: Shout
doc: Makes letters large.
baseCommand: [tr, a-z, A-Z]
hints: { ResourceRequirement: { coresMin: 2 } }
inputs:
  text: { type: File, label: Text, default: { class: File, location: text.txt } }
outputs:
  loud: { type: stdout, doc: The same in capitals }
stdin: $(inputs.text.path)
stdout: loud.txt
`;

async function canonicalOf(text: string, uri = "file:///a/tool.cwl"): Promise<string> {
  const { process } = await loadDocument(uri, { reader: memoryDocumentReader({ [uri]: text }) });
  assert.ok(process !== undefined);
  return JSON.stringify(canonicalTool(process));
}

describe("toolEssence", () => {
  const same: readonly (readonly [string, string])[] = [
    ["another label", TOOL.replace("label: Shout", "label: Louder")],
    ["no explanation", TOOL.replace("doc: Makes letters large.\n", "")],
    ["other words about an input", TOOL.replace("label: Text", "label: What to shout")],
    ["other words about an output", TOOL.replace(", doc: The same in capitals", "")],
    ["another default, which is a value of the call", TOOL.replace("location: text.txt", "location: other.txt")],
    ["other requirements, which are compared where they are in effect", TOOL.replace("coresMin: 2", "coresMin: 4")],
    ["another way of writing", TOOL.replace("[tr, a-z, A-Z]", '["tr", "a-z", "A-Z"]')],
  ];
  for (const [name, text] of same)
    it(`is the same with ${name}`, async () => assert.equal(await canonicalOf(text), await canonicalOf(TOOL)));

  const other: readonly (readonly [string, string])[] = [
    ["another command", TOOL.replace("A-Z]", "0-9]")],
    ["another type", TOOL.replace("type: File,", "type: File?,")],
    ["another stream", TOOL.replace("stdout: loud.txt", "stdout: louder.txt")],
    ["another code for success", `${TOOL}successCodes: [0, 3]\n`],
    ["another version of the language", TOOL.replace("v1.2", "v1.1")],
  ];
  for (const [name, text] of other)
    it(`differs with ${name}`, async () => assert.notEqual(await canonicalOf(text), await canonicalOf(TOOL)));

  it("does not depend on the location of the document", async () =>
    assert.equal(await canonicalOf(TOOL, "file:///elsewhere/deep/other.cwl"), await canonicalOf(TOOL)));

  it("is unchanged by packing, alone and within a network", async () => {
    const network =
      "cwlVersion: v1.2\nclass: Workflow\ninputs: []\noutputs: []\nsteps: { s: { run: tool.cwl, in: [], out: [loud] } }\n";
    const files = { "file:///a/tool.cwl": TOOL, "file:///a/net.cwl": network };
    for (const root of ["file:///a/tool.cwl", "file:///a/net.cwl"]) {
      const loaded = await loadDocument(root, { reader: memoryDocumentReader(files) });
      const packed = JSON.stringify(packDocument(loaded));
      const again = await loadDocument("file:///b/packed.cwl", {
        reader: memoryDocumentReader({ "file:///b/packed.cwl": packed }),
      });
      const tool = again.process?.class === "Workflow" ? again.process.steps[0]?.run : again.process;
      assert.ok(tool !== undefined, JSON.stringify(again.diagnostics));
      assert.equal(JSON.stringify(canonicalTool(tool)), await canonicalOf(TOOL));
    }
  });
});
