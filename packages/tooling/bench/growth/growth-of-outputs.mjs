import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constant, during, peakMib, requests, work } from "./figures.mjs";
import { startInstalled } from "../measure.mjs";

/** Makes `number` files of a few bytes each. */
const MANY_FILES = {
  class: "CommandLineTool",
  baseCommand: ["sh", "-c", 'seq 1 "$0" | split -l 1 -a 4 - part-'],
  inputs: { number: { type: "int", inputBinding: {} } },
  outputs: { files: { type: "File[]", outputBinding: { glob: "part-*" } } },
};

/** Makes one file of `number` bytes. */
const LARGE_FILE = {
  class: "CommandLineTool",
  baseCommand: ["sh", "-c", 'head -c "$0" /dev/zero > large'],
  inputs: { number: { type: "long", inputBinding: {} } },
  outputs: { file: { type: "File", outputBinding: { glob: "large" } } },
};

/** Measures one job that makes this many files. */
export function growthOfFiles(folder, files) {
  return growthOfTool(folder, MANY_FILES, files);
}

/** Measures one job that makes one file of this many bytes. */
export function growthOfOutput(folder, bytes) {
  return growthOfTool(folder, LARGE_FILE, bytes, "constant");
}

async function growthOfTool(folder, tool, number, memory = "work") {
  const toolFolder = join(folder, "catalog/tools/maker/1.0.0");
  mkdirSync(toolFolder, { recursive: true });
  const document = { cwlVersion: "v1.2", ...tool };
  writeFileSync(join(toolFolder, "maker.cwl"), JSON.stringify(document));
  const server = await startInstalled(["--state", join(folder, "state"), "--catalog", join(folder, "catalog")]);
  try {
    let runId;
    const run = async () => (runId = (await server.runToEnd({ tool: "maker", inputs: { number } })).run_id);
    const cpuMs = await during(server, run());
    return {
      execute: work(cpuMs),
      "100 × run record": constant(await requests(server, `/api/runs/${runId}`)),
      "100 × results": constant(await requests(server, `/api/runs/${runId}/results?page_size=50`)),
      memory: { value: peakMib(server.pid), unit: "MiB", grows: memory },
    };
  } finally {
    await server.stop();
  }
}
