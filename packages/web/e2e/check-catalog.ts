import { newFolder, type Files } from "./own-server.ts";

/** Fails for a file that contains `bad`. */
const CHECK = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  label: "Check a text",
  baseCommand: ["sh", "-c", 'if grep -q bad "$1"; then echo "bad data" >&2; exit 3; fi; cat "$1"', "check"],
  inputs: { text: { type: "File", inputBinding: {} } },
  outputs: { checked: "stdout" },
  stdout: "$(inputs.text.nameroot).checked.txt",
};
const NETWORK = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {} },
  inputs: { texts: "File[]" },
  outputs: { all: { type: "File[]", outputSource: "check/checked" } },
  steps: {
    check: { run: "../../tools/check/1.0.0/check.cwl", scatter: "text", in: { text: "texts" }, out: ["checked"] },
  },
};
/** A network that uses one tool in two steps. */
const TWICE = {
  ...NETWORK,
  outputs: { ...NETWORK.outputs, twice: { type: "File[]", outputSource: "again/checked" } },
  steps: { ...NETWORK.steps, again: { ...NETWORK.steps.check, in: { text: "check/checked" } } },
};
/** Many quick jobs without a program; the job for 255 fails. */
const MANY = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {}, InlineJavascriptRequirement: {} },
  inputs: { numbers: "int[]" },
  outputs: { all: { type: "int[]", outputSource: "each/o" } },
  steps: {
    each: {
      run: {
        class: "ExpressionTool",
        inputs: { n: "int" },
        outputs: { o: "int" },
        expression: "${ if (inputs.n == 255) throw new Error('bad number'); return { o: inputs.n }; }",
      },
      scatter: "n",
      in: { n: "numbers" },
      out: ["o"],
    },
  },
};

/** A network that can be drawn but cannot run. */
const BROKEN = { ...NETWORK, outputs: { all: { type: "File[]", outputSource: "nowhere/checked" } } };

/** A catalog with the networks `checks`, `checks-twice`, `many` and `broken`, whose step `check` fails for each sample whose text says `bad`. */
export function checkCatalog(texts: Readonly<Record<string, string>> = {}): Promise<string> {
  return newFolder({
    ...{ "tools/check/1.0.0/check.cwl": CHECK, "networks/checks/checks.cwl": NETWORK },
    ...{ "networks/checks-twice/checks-twice.cwl": TWICE, "networks/broken/broken.cwl": BROKEN },
    "networks/many/many.cwl": MANY,
    ...dataOf(texts),
  });
}

/** The files of a catalog that have the texts of samples. */
export function dataOf(texts: Readonly<Record<string, string>>): Files {
  return Object.fromEntries(Object.entries(texts).map(([sample, text]) => [`data/${sample}.txt`, text]));
}

/** Name of a sample's text in a form or a request. */
export function textLocation(sample: string): string {
  return `weft-data://catalog/data/${sample}.txt`;
}
