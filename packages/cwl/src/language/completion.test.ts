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

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly includes: readonly string[];
  readonly excludes?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "fields of a tool, without those that it has",
    files: tool("baseCommand: sort", "std‸"),
    includes: ["stdout", "baseCommand"],
    excludes: ["class", "steps"],
  },
  {
    name: "fields in braces",
    files: tool("type: File, doc", "type: File, ‸, doc"),
    includes: ["default", "format"],
    excludes: ["type"],
  },
  {
    name: "fields of an input",
    files: tool("  level: {type: int, default: 3}", "  level:\n    type: int\n    ‸"),
    includes: ["default", "format", "inputBinding"],
    excludes: ["type", "outputBinding"],
  },
  { name: "classes", files: tool("class: CommandLineTool", "class: ‸"), includes: ["CommandLineTool", "Workflow"] },
  {
    name: "classes of a new document",
    files: { "new.cwl": "cwlVersion: v1.2\n‸" },
    includes: ["class"],
    excludes: ["cwlVersion", "steps"],
  },
  { name: "versions", files: tool("cwlVersion: v1.2", "cwlVersion: v‸"), includes: ["v1.0", "v1.2"] },
  {
    name: "types",
    files: tool("level: {type: int, default: 3}", "level: {type: ‸}"),
    includes: ["File", "int", "stdin"],
  },
  {
    name: "types of the short form",
    files: tool("level: {type: int, default: 3}", "level: Fi‸"),
    includes: ["File", "Directory"],
  },
  {
    name: "words of a field",
    files: network("scatter: reads", "scatter: reads\n    scatterMethod: ‸"),
    includes: ["dotproduct", "flat_crossproduct"],
  },
  {
    name: "requirements",
    files: tool("requirements: {InlineJavascriptRequirement: {}}", "requirements:\n  ‸"),
    includes: ["DockerRequirement", "ResourceRequirement"],
  },
  {
    name: "fields of a requirement",
    files: tool("requirements: {InlineJavascriptRequirement: {}}", "requirements:\n  ResourceRequirement:\n    ram‸"),
    includes: ["ramMin", "coresMax"],
    excludes: ["dockerPull"],
  },
  {
    name: "sources of a scattered input are lists",
    files: network("reads: samples", "reads: ‸"),
    includes: ["samples"],
    excludes: ["depth", "order/sorted"],
  },
  {
    name: "sources of an integer",
    files: network("source: depth,", "source: ‸,"),
    includes: ["depth"],
    excludes: ["samples"],
  },
  {
    name: "sources of an output",
    files: network("outputSource: order/sorted", "outputSource: ord‸"),
    includes: ["order/sorted", "samples"],
    excludes: ["depth"],
  },
  {
    name: "inputs of a step",
    files: network("      level: {source: depth, valueFrom: $(inputs.level)}", "      ‸"),
    includes: ["level"],
    excludes: ["reads"],
  },
  { name: "outputs of a step", files: network("out: [sorted]", "out: [‸]"), includes: ["sorted"] },
  { name: "what to scatter over", files: network("scatter: reads", "scatter: ‸"), includes: ["reads", "level"] },
  {
    name: "documents to run",
    files: network("run: sort.cwl", "run: ‸"),
    includes: ["sort.cwl"],
    excludes: ["net.cwl"],
  },
  {
    name: "formats, by the declared prefix",
    files: tool(
      "level: {type: int, default: 3}",
      "level: {type: File, format: ‸}\n$namespaces: {edam: 'http://edamontology.org/'}",
    ),
    includes: ["edam:format_2572"],
  },
  {
    name: "names in an expression",
    files: tool("$(inputs.reads.nameroot)", "$(‸)"),
    includes: ["inputs", "self", "runtime"],
  },
  {
    name: "inputs in an expression",
    files: tool("$(inputs.reads.nameroot)", "$(inputs.‸)"),
    includes: ["reads", "level"],
  },
  {
    name: "fields of a File",
    files: tool("$(inputs.reads.nameroot)", "$(inputs.reads.na‸)"),
    includes: ["basename", "nameroot", "size"],
  },
  { name: "inputs in JavaScript", files: tool("inputs.level + ", "inputs.‸ + "), includes: ["reads", "level"] },
  {
    name: "resources in an argument",
    files: tool("inputs.level + ", "runtime.‸ + "),
    includes: ["cores", "ram"],
    excludes: ["exitCode"],
  },
  {
    name: "inputs of a step in valueFrom",
    files: network("$(inputs.level)", "$(inputs.‸)"),
    includes: ["level", "reads"],
    excludes: ["samples"],
  },
];

describe("completion", () => {
  for (const { name, files, includes, excludes = [] } of CASES)
    test(name, async () => {
      const { reader, uri, position, texts } = edited(files);
      const items = await completionsAt(uri, position, { reader, parsed: new Map(), documents: [...texts.keys()] });
      const labels = items.map(({ label }) => label);
      assert.deepEqual(
        includes.filter((label) => !labels.includes(label)),
        [],
        `missing in ${labels.join(" ")}`,
      );
      assert.deepEqual(
        excludes.filter((label) => labels.includes(label)),
        [],
        "too many",
      );
    });
});
