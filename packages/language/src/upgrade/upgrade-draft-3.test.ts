import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { upgradeDocument } from "../upgrade-document.ts";

const URI = "file:///d/t.cwl";

function upgrade(text: string) {
  const result = upgradeDocument(URI, text);
  return result.kind === "upgraded" ? result : assert.fail(JSON.stringify(result));
}

/** The upgraded document, which has to load without any problem. */
async function upgraded(text: string, others: Readonly<Record<string, string>> = {}): Promise<string> {
  const { text: after } = upgrade(text);
  const reader = memoryDocumentReader({ ...others, [URI]: after });
  const { process, diagnostics } = await loadDocument(URI, { reader });
  assert.deepEqual(diagnostics, [], after);
  assert.ok(process);
  assert.deepEqual(upgradeDocument(URI, after), { kind: "current" });
  return after;
}

function problemsOf(text: string): readonly string[] {
  const result = upgradeDocument(URI, text);
  return result.kind === "refused" ? result.problems : assert.fail(result.kind);
}

/** A document before and after an upgrade: a line `a ⇒ b` is `a` before and `b` after; without one of them, it is only in the other. */
function bothSides(text: string): [before: string, after: string] {
  const side = (at: 0 | 1) => (line: string) => {
    const parts = line.split(" ⇒ ");
    if (parts.length === 1) return [line];
    return parts[at] === "" ? [] : [parts[at]];
  };
  const lines = text.split("\n");
  return [lines.flatMap(side(0)).join("\n"), lines.flatMap(side(1)).join("\n")];
}

const [TOOL, TOOL_AFTER] = bothSides(`#!/usr/bin/env cwl-runner
# A tool.
cwlVersion: "cwl:draft-3" # old ⇒ cwlVersion: v1.2 # old
class: CommandLineTool
 ⇒ hints:
 ⇒   NetworkAccess: {networkAccess: true}
description: | ⇒ doc: |
  Writes a description: #1.
requirements:
  - class: InlineJavascriptRequirement
    expressionLib:
      - "var twice = function(x) { return 2 * x; };"
  - class: CreateFileRequirement # staged ⇒   - class: InitialWorkDirRequirement # staged
    fileDef: ⇒     listing:
      - filename: notes.txt ⇒       - entryname: notes.txt
        fileContent: "n=$(twice(inputs.n))" ⇒         entry: "n=$(twice(inputs.n))"
      - {filename: copy.bam, fileContent: $(inputs.reads)} ⇒       - {entryname: copy.bam, entry: $(inputs.reads)}
inputs:
  - id: "#reads" ⇒   - id: "reads"
    type: File
    description: Reads ⇒     doc: Reads
    inputBinding:
      position: 1
      secondaryFiles: [.bai] ⇒     secondaryFiles: [.bai]
  - id: n
    type: int
    default: 1
baseCommand: cat
stdout: out.txt
outputs:
  - id: "#out" ⇒   - id: "out"
    type: File
    outputBinding:
      glob: out.txt
  - id: text
    type: string
    description: What it says ⇒     doc: What it says
    outputBinding: {glob: out.txt, loadContents: true, outputEval: "$(self[0].contents)"}
`);

const [WORKFLOW, WORKFLOW_AFTER] = bothSides(`cwlVersion: draft-3.dev2 ⇒ cwlVersion: v1.2
$graph:
- id: "#main" ⇒ - id: "main"
  class: Workflow
  description: Two steps ⇒   doc: Two steps
  requirements: [{class: ScatterFeatureRequirement}, {class: MultipleInputFeatureRequirement}]
  inputs:
    - {id: "#texts", type: {type: array, items: string, description: Lines}} ⇒     - {id: "texts", type: {type: array, items: string, doc: Lines}}
    - id: "#suffix" ⇒     - id: "suffix"
      type: string
      default: {import: no directive}
  outputs:
    - id: "#result" ⇒     - id: "result"
      type: string
      source: "#join.out" # the last ⇒       outputSource: "join/out" # the last
  steps:
    - id: "#each" ⇒     - id: "each"
      run: {import: "#echo"} ⇒       run: "#echo"
      scatter: "#each.text" ⇒       scatter: "text"
      inputs: ⇒       in:
        - { id: "#each.text", source: "#texts" } ⇒         - { id: "text", source: "texts" }
        - { id: "#each.suffix", source: "#main/suffix", default: "#x.y" } ⇒         - { id: "suffix", source: "suffix", default: "#x.y" }
      outputs: ⇒       out:
        - { id: "#each.out" } ⇒         - { id: "out" }
    - id: join
      run:
        import: "#concat" ⇒         "#concat"
      inputs: ⇒       in:
        - id: parts
          source: ["#each/out", "#main.each.out"] ⇒           source: ["each/out", "each/out"]
          linkMerge: merge_flattened
      outputs: ["#join.out"] ⇒       out: ["out"]
- id: "#echo" ⇒ - id: "echo"
  class: ExpressionTool
  requirements: [{class: InlineJavascriptRequirement}]
  inputs: [{id: "#echo/text", type: string}, {id: "#suffix", type: string}] ⇒   inputs: [{id: "text", type: string}, {id: "suffix", type: string}]
  outputs: [{id: "#echo.out", type: string}] ⇒   outputs: [{id: "out", type: string}]
  expression: "\${ return {out: inputs.text + inputs.suffix}; }"
- id: "#concat" ⇒ - id: "concat"
  class: ExpressionTool
  requirements: [{class: InlineJavascriptRequirement}]
  inputs: [{id: "#parts", type: {type: array, items: string}}] ⇒   inputs: [{id: "parts", type: {type: array, items: string}}]
  outputs: [{id: "#out", type: string}] ⇒   outputs: [{id: "out", type: string}]
  expression: "\${ return {out: inputs.parts.join(' ')}; }"
`);

describe("upgrading draft-3", () => {
  it("rewrites a tool and keeps comments, order and strings", async () =>
    assert.equal(await upgraded(TOOL), TOOL_AFTER));

  it("names the lines that it changed", () =>
    assert.deepEqual(upgrade(TOOL).changes, [
      "cwlVersion: cwl:draft-3 is now v1.2",
      "lines 5, 19, 35: `description` is now `doc`",
      "line 11: CreateFileRequirement is now InitialWorkDirRequirement",
      "line 12: `fileDef` is now `listing`",
      "lines 13, 15: `filename` is now `entryname`",
      "lines 14, 15: `fileContent` is now `entry`",
      "lines 17, 29: names have no `#`, and the parts of a source are separated by `/`",
      "line 22: `secondaryFiles` moved from the binding to the parameter",
      "line 36: `loadContents` fails for files above 64 KiB; draft-3 loads their beginning",
      "line 3: hint NetworkAccess added, because tools before v1.1 may use the network",
    ]));

  it("rewrites workflows in a $graph: links, scatters and references to processes", async () => {
    const before = WORKFLOW.replace("default: {import: no directive}", "default: import");
    const after = WORKFLOW_AFTER.replace("default: {import: no directive}", "default: import");
    assert.equal(await upgraded(before), after);
    assert.equal(upgrade(WORKFLOW).text, WORKFLOW_AFTER);
  });

  it("rewrites processes within steps, and imported and included parts", async () => {
    const text = `{"cwlVersion": "draft-3", "class": "Workflow", "inputs": [], "outputs": [], "steps": [
  {"id": "s", "inputs": [], "outputs": [], "run": {"class": "CommandLineTool", "description": "d", "hints": [], "baseCommand": "ls",
    "inputs": [{"@import": "input.yml"}], "outputs": [], "requirements": [{"class": "InlineJavascriptRequirement",
    "expressionLib": [{"include": "lib.js"}]}]}}]}`;
    const after = await upgraded(text, {
      "file:///d/input.yml": "id: x\ntype: string?\ninputBinding: {}\n",
      "file:///d/lib.js": "var one = 1;",
    });
    assert.match(after, /"run": \{"class": "CommandLineTool", "doc": "d"/);
    assert.match(after, /\{"\$import": "input.yml"\}[^]*\{"\$include": "lib.js"\}[^]*/);
    assert.ok(upgrade(text).changes.includes("line 3: `input.yml` is a part of this document that stays as it is"));
  });

  it("trusts the spelling of sources where ports are imported", () => {
    const text = `cwlVersion: draft-3
class: Workflow
id: "#main"
inputs: {$import: inputs.yml}
outputs: [{id: o, type: Any, source: "#a.out"}]
steps:
- {id: a, run: a.cwl, inputs: [{id: x, source: "#main/reads"}], outputs: [{$import: out.yml}]}
`;
    const sources = upgrade(text).text.match(/\w+ource: "[^"]*"/g);
    assert.deepEqual(sources, ['outputSource: "a/out"', 'source: "reads"']);
  });

  it("keeps bindings that had only secondary files, including those in types and fields", async () => {
    const text = `cwlVersion: draft-3
class: CommandLineTool
hints: []
baseCommand: ls
inputs:
  - id: a
    type: File
    inputBinding:
      secondaryFiles:
        - .bai
        - ^.txt
  - id: r
    type:
      type: record
      fields:
        - {name: f, type: File, inputBinding: {secondaryFiles: .x, prefix: -f}}
outputs: []
`;
    const after = await upgraded(text);
    assert.match(after, /type: File\n {4}inputBinding: \{\}\n {4}secondaryFiles: \[ ?\.bai, \^\.txt ?\]\n/);
    assert.match(after, /\{name: f, type: File, inputBinding: \{prefix: -f\}, secondaryFiles: \.x\}/);
  });

  const HEAD = "cwlVersion: draft-3\nclass: Workflow\ninputs: []\noutputs: []\n";
  const REFUSED: Readonly<Record<string, readonly [string, ...(readonly string[])]>> = {
    "sources that name nothing": [
      `${HEAD}steps:\n- id: a\n  run: a.cwl\n  inputs: [{id: x, source: "#b/c"}]\n  outputs: []\n`,
      "line 8: `#b/c` is neither an input of this workflow nor an output of a step",
    ],
    "fields in old and new form": [
      `${HEAD}steps: []\ndescription: a\ndoc: b\n`,
      "line 6: there are both `description` and `doc`; keep one of them",
    ],
    "remains of draft-2": [
      `${HEAD}steps: []\n"@context": x\nrequirements:\n- class: ExpressionEngineRequirement\n  id: node\n- class: CreateFileRequirement\n  fileDef:\n  - filename: a\n    fileContent: {engine: node, script: "1"}\n`,
      "line 6: `@context` belongs to draft-2 and has to be rewritten by hand",
      "line 8: draft-3 has no ExpressionEngineRequirement; use InlineJavascriptRequirement",
      "line 13: expressions with `engine` and `script` belong to draft-2; write `$(…)` or `${…}` instead",
    ],
    "names with escapes": [`${HEAD}steps: []\nid: "\\x23a"\n`, "line 6: write `#a` on one line, without escapes"],
    "comments at secondary files that move": [
      `cwlVersion: draft-3\nclass: CommandLineTool\noutputs: []\ninputs:\n- id: a\n  type: File\n  inputBinding:\n    secondaryFiles: .x # why\n`,
      "line 8: move the comment at these `secondaryFiles` elsewhere: they move without it",
    ],
    "one part in two roles": [
      `cwlVersion: draft-3\nclass: Workflow\ninputs: []\noutputs: []\nsteps:\n- {id: a, run: x, inputs: [], outputs: [&o {id: "#a.o"}]}\n- {id: b, run: x, inputs: [], outputs: [*o]}\n`,
      "line 6: a YAML alias uses this in two different ways; write it in full in both places",
    ],
    "secondary files of a type": [
      `cwlVersion: draft-3\nclass: CommandLineTool\noutputs: []\ninputs:\n- id: a\n  type: {type: array, items: File, inputBinding: {secondaryFiles: .x}}\n`,
      "line 6: types have no `secondaryFiles`; move them to the parameter by hand",
    ],
    "one binding with secondary files for two inputs": [
      `cwlVersion: draft-3\nclass: CommandLineTool\noutputs: []\ninputs:\n- {id: a, type: File, inputBinding: &b {secondaryFiles: .x}}\n- {id: c, type: File, inputBinding: *b}\n`,
      "line 5: a YAML alias uses this in two different ways; write it in full in both places",
    ],
    "other classes": ["cwlVersion: draft-3\nclass: Operation\n", "line 1: draft-3 has no process class `Operation`"],
    "draft-2": ["cwlVersion: draft-2\nclass: Workflow\n", "`draft-2` is too old"],
  };
  for (const [name, [text, ...problems]] of Object.entries(REFUSED))
    it(`refuses ${name}`, () => assert.deepEqual(problemsOf(text), problems));
});
