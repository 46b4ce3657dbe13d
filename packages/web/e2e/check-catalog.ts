import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

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
  outputs: {
    all: { type: "File[]", outputSource: "check/checked" },
    twice: { type: "File[]", outputSource: "again/checked" },
  },
  steps: {
    ...NETWORK.steps,
    again: {
      run: "../../tools/check/1.0.0/check.cwl",
      scatter: "text",
      in: { text: "check/checked" },
      out: ["checked"],
    },
  },
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

/** Writes the text of one sample into the data of the catalog. */
export type GiveText = (sample: string, text: string) => Promise<void>;

/** A catalog with the networks `checks`, `checks-twice`, `many` and `broken`, whose step `check` fails for each sample whose text says `bad`. */
export async function writeCheckCatalog(folder: string): Promise<GiveText> {
  const write = async (path: string, text: string) => {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write("tools/check/1.0.0/check.cwl", JSON.stringify(CHECK));
  await write("networks/checks/checks.cwl", JSON.stringify(NETWORK));
  await write("networks/checks-twice/checks-twice.cwl", JSON.stringify(TWICE));
  await write("networks/broken/broken.cwl", JSON.stringify(BROKEN));
  await write("networks/many/many.cwl", JSON.stringify(MANY));
  return (sample, text) => write(`data/${sample}.txt`, text);
}

/** Name of a sample's text in a form or a request. */
export function textLocation(sample: string): string {
  return `weft-data://catalog/data/${sample}.txt`;
}
