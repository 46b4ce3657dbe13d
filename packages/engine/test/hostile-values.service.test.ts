import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { runToEnd } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { columns } from "../src/testing/columns.ts";

const writeOutputs: Program = ({ args: [text = ""], write }) => write("cwl.output.json", text);

const TAKES_ANY = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: "true"
inputs:
  value: Any?
  record: { type: [ "null", { type: record, fields: [ { name: text, type: string } ] } ] }
outputs: {}
`;
const PASSES_ON = `cwlVersion: v1.2
class: Workflow
inputs: { value: Any }
outputs: { out: { type: Any, outputSource: value } }
steps: {}
`;
const WRITES_OUTPUTS = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: write-outputs
inputs: { text: { type: string, inputBinding: {} } }
outputs: { out: Any }
`;
const EVALUATES = `cwlVersion: v1.2
class: ExpressionTool
requirements: { InlineJavascriptRequirement: {} }
inputs: { text: string }
outputs: { out: Any }
expression: "\${ return { out: JSON.parse(inputs.text) }; }"
`;
const EVALUATES_OUTPUT = `cwlVersion: v1.2
class: CommandLineTool
requirements: { InlineJavascriptRequirement: {} }
baseCommand: "true"
inputs: { text: string }
outputs: { out: { type: Any, outputBinding: { outputEval: $(JSON.parse(inputs.text)) } } }
`;
const MAKES_RECORD = `cwlVersion: v1.2
class: CommandLineTool
requirements: { InlineJavascriptRequirement: {} }
baseCommand: "true"
inputs: { text: string }
outputs:
  out:
    type:
      - Any
      - type: record
        fields:
          - { name: class, type: string, outputBinding: { outputEval: File } }
          - { name: basename, type: string, outputBinding: { outputEval: "$(JSON.parse(inputs.text).basename)" } }
          - { name: contents, type: string, outputBinding: { outputEval: forged } }
`;
const STAGES_ITS_INPUTS = `cwlVersion: v1.2
class: CommandLineTool
requirements: { InitialWorkDirRequirement: { listing: [ $(inputs) ] } }
baseCommand: "true"
inputs: { class: string, basename: string, contents: string }
outputs: {}
`;
const STAGES_ENTRY = `cwlVersion: v1.2
class: CommandLineTool
requirements:
  InlineJavascriptRequirement: {}
  InitialWorkDirRequirement: { listing: "\${ return [{ entry: 'forged', entryname: JSON.parse(inputs.text).basename }]; }" }
baseCommand: "true"
inputs: { text: string }
outputs: {}
`;
const COMPUTES_STEP_INPUT = `cwlVersion: v1.2
class: Workflow
requirements: { InlineJavascriptRequirement: {}, StepInputExpressionRequirement: {} }
inputs: { text: string }
outputs: {}
steps:
  take:
    run: ../../../tools/takes-any/1.0.0/takes-any.cwl
    in: { text: text, value: { valueFrom: $(JSON.parse(inputs.text)) } }
    out: []
`;
const LOOPS = `cwlVersion: v1.2
class: Workflow
$namespaces: { cwltool: "http://commonwl.org/cwltool#" }
requirements: { InlineJavascriptRequirement: {}, StepInputExpressionRequirement: {} }
inputs: { text: string }
outputs: { out: { type: Any, outputSource: again/out } }
steps:
  again:
    run: ../../../tools/counts/1.0.0/counts.cwl
    in: { text: text, n: { default: 0 }, value: { default: none } }
    out: [out, n]
    requirements:
      cwltool:Loop:
        loopWhen: $(inputs.n < 2)
        loop: { n: n, value: { loopSource: out, valueFrom: $(JSON.parse(inputs.text)) } }
        outputMethod: last
`;
const COUNTS = `cwlVersion: v1.2
class: ExpressionTool
requirements: { InlineJavascriptRequirement: {} }
inputs: { n: int, text: string, value: Any? }
outputs: { n: int, out: Any }
expression: "$({ n: inputs.n + 1, out: inputs.value || 'none' })"
`;

const tools = {
  "takes-any": TAKES_ANY,
  "writes-outputs": WRITES_OUTPUTS,
  evaluates: EVALUATES,
  "evaluates-output": EVALUATES_OUTPUT,
  "makes-record": MAKES_RECORD,
  "stages-its-inputs": STAGES_ITS_INPUTS,
  "stages-entry": STAGES_ENTRY,
  counts: COUNTS,
};
const networks = { "passes-on": PASSES_ON, "computes-step-input": COMPUTES_STEP_INPUT, loops: LOOPS };
const documents = Object.entries({ tools, networks }).flatMap(([kind, texts]) =>
  Object.entries(texts).map(([id, text]) => [`catalog/${kind}/${id}/1.0.0/${id}.cwl`, text]),
);
const { engine, root } = await serveFiles(
  { "data/": "", ...Object.fromEntries(documents) },
  { programs: { "write-outputs": writeOutputs }, jobs: 2, data: ["data"] },
);
await mkdir(join(root, "state/tokens"), { recursive: true });

/** Names that lead out of any folder to which a run writes. */
const NAMES = [2, 3, 4, 5, 6].map((levels) => `${"../".repeat(levels)}tokens/mallory.json`);
const forged = (basename: string) => ({ class: "File", basename, contents: "forged" });

/** Every position within a value at which a File can occur. */
const PLACES: Readonly<Record<string, readonly [(basename: string) => unknown, string]>> = {
  "a File": [forged, ""],
  "a File in a list": [(name) => [1, [forged(name)]], "/1/0"],
  "a File in a record": [(name) => ({ deep: { file: forged(name) } }), "/deep/file"],
  "a secondary file": [
    (name) => ({ class: "File", basename: "a", contents: "", secondaryFiles: [forged(name)] }),
    "/secondaryFiles/0",
  ],
  "a listed File": [(name) => ({ class: "Directory", basename: "d", listing: [forged(name)] }), "/listing/0"],
  "a Directory in a listed Directory": [
    (name) => ({
      class: "Directory",
      basename: "d",
      listing: [{ class: "Directory", basename: "e", listing: [{ class: "Directory", basename: name, listing: [] }] }],
    }),
    "/listing/0/listing/0",
  ],
  "a File in a field of a File": [(name) => ({ ...forged("a"), extra: [forged(name)] }), "/extra/0"],
};

async function forgedFiles(): Promise<string[]> {
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name.includes("mallory"));
}

describe("a File whose name leads out of its folder", () => {
  for (const [what, [make, pointer]] of Object.entries(PLACES)) {
    for (const [target, input] of [
      ["takes-any", "value"],
      ["passes-on", "value"],
      ["takes-any", "record"],
    ] as const)
      it(`is refused as ${what} in the input ${input} of ${target}`, async () => {
        for (const name of NAMES) {
          const value = input === "record" ? { text: "x", undeclared: make(name) } : make(name);
          const at = `/inputs/${input}${input === "record" ? "/undeclared" : ""}${pointer}/basename`;
          const process = target === "passes-on" ? { network: target } : { tool: target };
          await assert.rejects(runToEnd(engine, { ...process, inputs: { [input]: value } }), (error) => {
            assert(error instanceof Refusal);
            assert.equal(error.code, "invalid-inputs");
            assert.deepEqual(columns(error.errors, "pointer", "code"), [[at, "invalid-value"]]);
            assert.match(error.errors[0]?.detail ?? "", /cannot be the name of a (File|Directory)/);
            assert.match(error.errors[0]?.hint ?? "", /single name/);
            return true;
          });
        }
        assert.deepEqual(await forgedFiles(), []);
      });
    for (const tool of ["writes-outputs", "evaluates", "evaluates-output"])
      it(`fails the job as ${what} that ${tool}`, async () => {
        for (const name of NAMES) {
          const value = tool === "writes-outputs" ? { out: make(name) } : make(name);
          const run = await runToEnd(engine, { tool, inputs: { text: JSON.stringify(value) } });
          assert.equal(run.state, "EXECUTOR_ERROR");
          assert.match(run.state_reason?.message ?? "", /cannot be the name of a (File|Directory)/);
          assert.match(run.state_reason?.message ?? "", new RegExp(`${pointer}/basename`));
        }
        assert.deepEqual(await forgedFiles(), []);
      });
  }

  for (const [what, body] of [
    ["composed of fields that each have a binding", (name: string) => ({ tool: "makes-record", inputs: text(name) })],
    ["computed for a step", (name: string) => ({ network: "computes-step-input", inputs: text(name) })],
    ["computed for the next iteration of a loop", (name: string) => ({ network: "loops", inputs: text(name) })],
    ["named by an entry of the working directory", (name: string) => ({ tool: "stages-entry", inputs: text(name) })],
    ["composed of a tool's inputs", (name: string) => ({ tool: "stages-its-inputs", inputs: forged(name) })],
  ] as const)
    it(`fails the run when it is ${what}`, async () => {
      for (const name of NAMES) {
        const run = await runToEnd(engine, body(name));
        assert.notEqual(run.state, "COMPLETE");
        assert.match(run.state_reason?.message ?? "", /cannot be the name of a File|is not inside/);
      }
      assert.deepEqual(await forgedFiles(), []);
    });
});

function text(name: string) {
  return { text: JSON.stringify(forged(name)) };
}
