import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { completionsAt } from "./completion.ts";
import { edited, NETWORK, TOOL } from "./testing/edited-text.ts";

const put = (text: string, from: string, to: string) => {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
};
const tool = (from: string, to: string) => ({ "sort.cwl": put(TOOL, from, to) });
const network = (from: string, to: string) => ({ "net.cwl": put(NETWORK, from, to), "sort.cwl": TOOL });

const CASES: Readonly<
  Record<string, readonly [files: Readonly<Record<string, string>>, includes: string, excludes?: string]>
> = {
  "fields of a tool, without those that it has": [
    tool("baseCommand: sort", "std‸"),
    "stdout baseCommand",
    "class steps",
  ],
  "fields in braces": [tool("type: File, doc", "type: File, ‸, doc"), "default format", "type"],
  "fields of an input": [
    tool("  level: {type: int, default: 3}", "  level:\n    type: int\n    ‸"),
    "default format inputBinding",
    "type outputBinding",
  ],
  classes: [tool("class: CommandLineTool", "class: ‸"), "CommandLineTool Workflow"],
  "classes of a new document": [{ "new.cwl": "cwlVersion: v1.2\n‸" }, "class", "cwlVersion steps"],
  versions: [tool("cwlVersion: v1.2", "cwlVersion: v‸"), "v1.0 v1.2"],
  types: [tool("level: {type: int, default: 3}", "level: {type: ‸}"), "File int stdin"],
  "types of the short form": [tool("level: {type: int, default: 3}", "level: Fi‸"), "File Directory"],
  "words of a field": [
    network("scatter: reads", "scatter: reads\n    scatterMethod: ‸"),
    "dotproduct flat_crossproduct",
  ],
  requirements: [
    tool("requirements: {InlineJavascriptRequirement: {}}", "requirements:\n  ‸"),
    "DockerRequirement ResourceRequirement",
  ],
  "fields of a requirement": [
    tool("requirements: {InlineJavascriptRequirement: {}}", "requirements:\n  ResourceRequirement:\n    ram‸"),
    "ramMin coresMax",
    "dockerPull",
  ],
  "sources of a scattered input are lists": [network("reads: samples", "reads: ‸"), "samples", "depth order/sorted"],
  "sources of an integer": [network("source: depth,", "source: ‸,"), "depth", "samples"],
  "sources of an output": [
    network("outputSource: order/sorted", "outputSource: ord‸"),
    "order/sorted samples",
    "depth",
  ],
  "inputs of a step": [
    network("      level: {source: depth, valueFrom: $(inputs.level)}", "      ‸"),
    "level",
    "reads",
  ],
  "outputs of a step": [network("out: [sorted]", "out: [‸]"), "sorted"],
  "what to scatter over": [network("scatter: reads", "scatter: ‸"), "reads level"],
  "documents to run": [network("run: sort.cwl", "run: ‸"), "sort.cwl", "net.cwl"],
  "formats, by the declared prefix": [
    tool(
      "level: {type: int, default: 3}",
      "level: {type: File, format: ‸}\n$namespaces: {edam: 'http://edamontology.org/'}",
    ),
    "edam:format_2572",
  ],
  "names in an expression": [tool("$(inputs.reads.nameroot)", "$(‸)"), "inputs self runtime"],
  "inputs in an expression": [tool("$(inputs.reads.nameroot)", "$(inputs.‸)"), "reads level"],
  "fields of a File": [tool("$(inputs.reads.nameroot)", "$(inputs.reads.na‸)"), "basename nameroot size"],
  "inputs in JavaScript": [tool("inputs.level + ", "inputs.‸ + "), "reads level"],
  "resources in an argument": [tool("inputs.level + ", "runtime.‸ + "), "cores ram", "exitCode"],
  "outputs of a step in a workflow that another of its document runs": [
    {
      "packed.cwl": `cwlVersion: v1.2
$graph:
- id: main
  class: Workflow
  requirements: {SubworkflowFeatureRequirement: {}}
  inputs: {text: string}
  outputs: []
  steps: {nested: {run: "#inner", in: {text: text}, out: []}}
- id: inner
  class: Workflow
  inputs: {text: string}
  outputs: []
  steps: {order: {run: sort.cwl, in: {}, out: [‸]}}
`,
      "sort.cwl": TOOL,
    },
    "sorted",
  ],
  "inputs of a step in valueFrom": [network("$(inputs.level)", "$(inputs.‸)"), "level reads", "samples"],
};

describe("completion", () => {
  for (const [name, [files, includes, excludes = ""]] of Object.entries(CASES))
    test(name, async () => {
      const { reader, uri, position, texts } = edited(files);
      const items = await completionsAt(uri, position, { reader, parsed: new Map(), documents: [...texts.keys()] });
      const labels = items.map(({ label }) => label);
      assert.equal(new Set(labels).size, labels.length, `twice in ${labels.join(" ")}`);
      const found = includes.split(" ").filter((label) => !labels.includes(label));
      assert.deepEqual(found, [], `missing in ${labels.join(" ")}`);
      const shown = excludes.split(" ").filter((label) => labels.includes(label));
      assert.deepEqual(shown, [], "too many");
    });
});
