import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";

/** The tool that both steps of the inner network run: writes what it is given, and a word. */
export const NESTED_STEP = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: step
inputs: { text: { type: File, inputBinding: { position: 1 } }, word: { type: string, inputBinding: { position: 2 } } }
outputs: { out: { type: stdout } }
stdout: $(inputs.text.nameroot).out
`;

/**
 * The outer network scatters the inner one, of two steps, over its texts and then gathers the results: its jobs are
 * `each-0.a`, `each-0.b`, `each-1.a` and so on, and `gather`.
 */
const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, SubworkflowFeatureRequirement: {} }
inputs: { texts: "File[]", word: string }
outputs: { all: { type: File, outputSource: gather/out } }
steps:
  each:
    scatter: text
    in: { text: texts }
    out: [out]
    run:
      class: Workflow
      inputs: { text: File }
      outputs: { out: { type: File, outputSource: b/out } }
      steps:
        a: { run: ../../tools/step/1.0.0/step.cwl, in: { text: text, word: { default: a } }, out: [out] }
        b: { run: ../../tools/step/1.0.0/step.cwl, in: { text: a/out, word: { default: b } }, out: [out] }
  gather:
    in: { texts: each/out, word: word }
    out: [out]
    run:
      class: CommandLineTool
      baseCommand: cat
      inputs: { texts: { type: "File[]", inputBinding: {} }, word: string }
      outputs: { out: { type: stdout } }
      stdout: all.txt
`;

/** The network `nest`, and the files `one.txt`, `two.txt` and `three.txt`: paths below the root of a server → contents. */
export const NESTED_NETWORK = {
  "catalog/tools/step/1.0.0/step.cwl": NESTED_STEP,
  "catalog/networks/nest/nest.cwl": NETWORK,
  "data/one.txt": "one\n",
  "data/two.txt": "two\n",
  "data/three.txt": "three\n",
};

/** Runs the program of the steps. */
export const nestedExecutor = () =>
  new ScriptedExecutor({
    step({ args: [text = "", word = ""], read, print }) {
      print(`${read(text)}${word}\n`);
    },
  });

/** A run of `nest` with the texts of these names. */
export const nestedRun = (names: readonly string[], word = "x"): CreateRun => ({
  network: "nest",
  inputs: { texts: names.map((name) => ({ class: "File", location: `weft-data://data/${name}.txt` })), word },
});
