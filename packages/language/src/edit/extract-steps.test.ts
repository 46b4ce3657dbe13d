import assert from "node:assert/strict";
import { it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { extractSteps } from "./extract-steps.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: align
inputs: {reads: File, index: File?}
outputs: {bam: {type: File, outputBinding: {glob: x}}, log: stdout}
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
label: All of it
inputs:
  reads: File # one per sample
  index: File?
outputs:
  first: {type: File, outputSource: align/bam}
  last: {type: File, outputSource: last/bam}
steps:
  align:
    run: ../../tools/align/align.cwl
    in: {reads: reads, index: index}
    out: [bam]
  # Sorts by place.
  sort:
    run: ../../tools/align/align.cwl
    in: {reads: align/bam, index: reads}
    out: [bam, log]
  last:
    run: ../../tools/align/align.cwl
    in: {reads: sort/bam}
    out: [bam]
`;
const FROM = "file:///catalog/networks/all/all.cwl";
const TO = "file:///catalog/networks/part/draft/part.cwl";

async function load(text: string, uri: string) {
  const read = async (requested: string) =>
    requested === uri ? text : requested === "file:///catalog/tools/align/align.cwl" ? TOOL : undefined;
  const { process, diagnostics } = await loadDocument(uri, { reader: { read } });
  assert.ok(process?.class === "Workflow");
  const messages = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  assert.deepEqual(messages, []);
  return process;
}

async function extracted(steps: readonly string[], text = NETWORK) {
  return extractSteps(text, { network: await load(text, FROM), steps, from: FROM, to: TO });
}

it("some steps become a network; values from other steps become inputs, and references lead to the same files", async () => {
  const result = await extracted(["sort"]);
  assert.ok("text" in result);
  assert.equal(
    result.text,
    `cwlVersion: v1.2
class: Workflow
label: All of it
inputs:
  reads: File # one per sample
  bam: File
outputs:
  bam_2:
    type: File
    outputSource: sort/bam
  log:
    type: File
    outputSource: sort/log
steps:
  # Sorts by place.
  sort:
    run: ../../../tools/align/align.cwl
    in: {reads: bam, index: reads}
    out: [bam, log]
`,
  );
  await load(result.text, TO);
});

it("outputs of the network that come from the steps stay", async () => {
  const result = await extracted(["align", "sort"]);
  assert.ok("text" in result);
  const { inputs, outputs, steps } = await load(result.text, TO);
  assert.deepEqual(
    [inputs, steps, outputs].map((parts) => parts.map(({ id }) => id)),
    [
      ["reads", "index"],
      ["align", "sort"],
      ["first", "bam", "log"],
    ],
  );
});

it("is refused without steps, and for packed documents", async () => {
  assert.match(JSON.stringify(await extracted(["none"])), /does not have these steps/);
  const packed = `{"cwlVersion": "v1.2", "$graph": [{"class": "Workflow", "id": "main", "inputs": [], "outputs": [], "steps": []}]}`;
  const network = await load(NETWORK, FROM);
  const refused = extractSteps(packed, { network, steps: ["sort"], from: FROM, to: TO });
  assert.match(JSON.stringify(refused), /packed/);
});
