import assert from "node:assert/strict";
import { it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { containerRequests } from "./container-requests.ts";

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
const REQUIRED = "requirements: { DockerRequirement: { dockerPull: other } }\n";
const reader = memoryDocumentReader({
  "file:///c/tool.cwl": TOOL,
  "file:///c/net.cwl": NETWORK,
  "file:///c/plain.cwl": TOOL.replace(/^hints.*\n/m, ""),
  "file:///c/required.cwl": TOOL.replace("hints", "requirements"),
  "file:///c/over.cwl": NETWORK.replace("inputs", `${REQUIRED}inputs`),
});

const hinted = { tool: "tool", image: "biocontainers/samtools:1.9", isRequired: false };
const cases: readonly [string, readonly object[]][] = [
  ["tool", [hinted]],
  ["net", [hinted]],
  ["plain", []],
  ["required", [{ ...hinted, tool: "required", isRequired: true }]],
  // A requirement of the workflow wins over a hint of the tool.
  ["over", [{ tool: "tool", image: "other", isRequired: true }]],
];
async function requestsOf(name: string, overrides?: Parameters<typeof containerRequests>[1]) {
  const { process } = await loadDocument(`file:///c/${name}.cwl`, { reader });
  assert.ok(process);
  return containerRequests(process, overrides);
}

for (const [name, expected] of cases)
  it(`containerRequests finds the request of ${name}`, async () => assert.deepEqual(await requestsOf(name), expected));

it("containerRequests applies the requirements of an input object", async () => {
  const requests = await requestsOf("plain", [{ class: "DockerRequirement", dockerPull: "mine" }]);
  assert.deepEqual(requests, [{ tool: "plain", image: "mine", isRequired: true }]);
});
