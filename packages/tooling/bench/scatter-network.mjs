/** A network that echoes each of its numbers into a file. */
export function scatterNetwork() {
  const tool = {
    class: "CommandLineTool",
    baseCommand: "echo",
    inputs: { number: { type: "int", inputBinding: {} } },
    stdout: "number.txt",
    outputs: { line: "stdout" },
  };
  return {
    cwlVersion: "v1.2",
    class: "Workflow",
    requirements: { ScatterFeatureRequirement: {} },
    inputs: { numbers: "int[]" },
    outputs: { lines: { type: "File[]", outputSource: "echo/line" } },
    steps: { echo: { run: tool, in: { number: "numbers" }, scatter: "number", out: ["line"] } },
  };
}
