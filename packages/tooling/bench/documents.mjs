import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareNode, compare, isInstalled, skip, weft } from "./measure.mjs";
import { measureTree } from "./process-tree.mjs";

const STEPS = 1000;
/** cwltool's time grows with the square of the steps: a thousand steps take minutes. */
const STEPS_FOR_ALL = 100;

/** Measures loading and checking a large packed network: a chain of steps, each with its own tool. */
export async function benchDocuments(folder) {
  const large = writeNetwork(folder, STEPS);
  const small = writeNetwork(folder, STEPS_FOR_ALL);
  const validate = (document) => () => measureTree([...weft(), "validate", document]);
  await compare(`a packed network of ${STEPS} steps, weft validate / JSON.parse in node`, validate(large), () =>
    measureTree([bareNode(), "-e", "JSON.parse(fs.readFileSync(process.argv[1]))", large]),
  );
  await compare(
    `a packed network, weft validate of ${STEPS} steps / of ${STEPS_FOR_ALL}`,
    validate(large),
    validate(small),
  );
  const name = `a packed network of ${STEPS_FOR_ALL} steps, weft validate / cwltool --validate`;
  if (!isInstalled("cwltool")) return skip(name, "cwltool");
  await compare(name, validate(small), () => measureTree(["cwltool", "--quiet", "--validate", small]), 1);
}

function writeNetwork(folder, count) {
  const document = join(folder, `packed-${count}.cwl`);
  writeFileSync(document, JSON.stringify(packedNetwork(count)));
  return document;
}

function packedNetwork(count) {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const main = {
    class: "Workflow",
    id: "#main",
    inputs: [{ id: "#main/start", type: "File" }],
    outputs: [{ id: "#main/end", type: "File", outputSource: `#main/step${count - 1}/out` }],
    steps: numbers.map((number) => ({
      id: `#main/step${number}`,
      run: `#tool${number}.cwl`,
      in: [{ id: `#main/step${number}/text`, source: number === 0 ? "#main/start" : `#main/step${number - 1}/out` }],
      out: [`#main/step${number}/out`],
    })),
  };
  const tools = numbers.map((number) => ({
    class: "CommandLineTool",
    id: `#tool${number}.cwl`,
    baseCommand: ["sed", `s/${number}/x/`],
    inputs: [{ id: `#tool${number}.cwl/text`, type: "File", inputBinding: { position: 1 } }],
    stdout: "out.txt",
    outputs: [{ id: `#tool${number}.cwl/out`, type: "File", outputBinding: { glob: "out.txt" } }],
  }));
  return { cwlVersion: "v1.2", $graph: [main, ...tools] };
}
