/** A tool whose program prints its words and the content of its files (backends/programs.ts). */
function tool(inputs: string): string {
  return `{ class: CommandLineTool, baseCommand: [say], stdout: said.txt, temporaryFailCodes: [75],
    requirements: { ResourceRequirement: { coresMin: $(inputs.cores), ramMin: $(inputs.ram) }, ToolTimeLimit: { timelimit: $(inputs.limit) } },
    inputs: { ${inputs}, cores: int, ram: int, limit: int }, outputs: { said: stdout } }`;
}

const SAY = tool("text: { type: string, inputBinding: { position: 1 } }");
const ADD = tool(
  "text: { type: string, inputBinding: { position: 1 } }, file: { type: File, inputBinding: { position: 2 } }",
);
const COPY = tool("file: { type: File, inputBinding: { position: 1 } }");
const JOIN = tool("files: { type: 'File[]', inputBinding: { position: 1 } }");
const SIZES = "cores: cores, ram: ram, limit: limit";
const SIZE_INPUTS = "cores: int, ram: int, limit: int";

const head = (inputs: string, output: string, type = "File") => `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, SubworkflowFeatureRequirement: {} }
inputs: { ${inputs}, ${SIZE_INPUTS} }
outputs: { said: { type: "${type}", outputSource: ${output} } }
steps:
`;

const each = (name: string, tail = "") =>
  `  ${name}: { run: ${SAY}, scatter: text, in: { text: texts, ${SIZES} }, out: [said] }\n${tail}`;
const joined = (name: string, from: string) =>
  `  ${name}: { run: ${JOIN}, in: { files: ${from}/said, ${SIZES} }, out: [said] }\n`;
const chain = (names: readonly string[]) =>
  names
    .map((name, at) =>
      at === 0
        ? `  ${name}: { run: ${SAY}, in: { text: text, ${SIZES} }, out: [said] }\n`
        : `  ${name}: { run: ${ADD}, in: { text: text, file: ${names[at - 1]}/said, ${SIZES} }, out: [said] }\n`,
    )
    .join("");
const INNER = `{ class: Workflow, inputs: { text: string, ${SIZE_INPUTS} }, outputs: { said: { type: File, outputSource: b/said } }, steps: { a: { run: ${SAY}, in: { text: text, ${SIZES} }, out: [said] }, b: { run: ${ADD}, in: { text: text, file: a/said, ${SIZES} }, out: [said] } } }`;

/**
 * The documents that clients start. The names of steps decide on their backend: `s_…` goes to Slurm, `t_…` to the TES
 * server (server.ts).
 */
export const NETWORKS: Readonly<Record<string, string>> = {
  chain: head("text: string", "c/said") + chain(["a", "b", "c"]),
  spread: head("texts: 'string[]'", "j/said") + each("a", joined("j", "a")),
  each: head("texts: 'string[]'", "a/said", "File[]") + each("a"),
  travel: head("text: string", "t_c/said") + chain(["a", "s_b", "t_c"]),
  cluster: head("texts: 'string[]'", "j/said") + each("s_a", joined("j", "s_a")),
  tasks: head("texts: 'string[]'", "j/said") + each("t_a", joined("j", "t_a")),
  nested:
    head("texts: 'string[]'", "a/said", "File[]") +
    `  a: { run: ${INNER}, scatter: text, in: { text: texts, ${SIZES} }, out: [said] }\n`,
};

/** The documents that automations start. */
export const COPIES = "copies";
export const DOCUMENTS: Readonly<Record<string, string>> = {
  [COPIES]:
    head("files: 'File[]'", "a/said", "File[]") +
    `  a: { run: ${COPY}, scatter: file, in: { file: files, ${SIZES} }, out: [said] }\n`,
  ...NETWORKS,
};

/** The output of each network if all jobs succeed; the elements of a list one after the other. */
export function expectedText(network: string, texts: readonly string[]): string {
  const [text = ""] = texts;
  const lines = texts.map((line) => `${line}\n`);
  switch (network) {
    case "chain":
    case "travel":
      return `${text}\n`.repeat(3);
    case "nested":
      return lines.map((line) => line.repeat(2)).join("");
    default:
      return lines.join("");
  }
}

/** Whether the output is a list of files. */
export function isOfFileList(network: string): boolean {
  return network === "each" || network === "nested";
}

export function isOfOneText(network: string): boolean {
  return network === "chain" || network === "travel";
}
