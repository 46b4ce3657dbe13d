import assert from "node:assert/strict";
import { it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { containerWarnings } from "./container-warnings.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: samtools
hints: { DockerRequirement: { dockerPull: "biocontainers/samtools:1.9" } }
inputs: {}
outputs: {}
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs: {}
outputs: {}
steps:
  one: { run: tool.cwl, in: {}, out: [] }
  two: { run: tool.cwl, in: {}, out: [] }
`;
const reader = memoryDocumentReader({
  "file:///c/tool.cwl": TOOL,
  "file:///c/net.cwl": NETWORK,
  "file:///c/plain.cwl": TOOL.replace(/^hints.*\n/m, ""),
});

const cases: [string, number][] = [
  ["tool", 1],
  ["net", 1],
  ["plain", 0],
];
for (const [name, count] of cases) {
  it(`tells ${count} of ${name}`, async () => {
    const { process } = await loadDocument(`file:///c/${name}.cwl`, { reader });
    assert.ok(process);
    const warnings = containerWarnings(process);
    assert.equal(warnings.length, count);
    for (const warning of warnings)
      assert.match(warning, /^tool asks for the container image biocontainers\/samtools:1\.9; /);
  });
}
