import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { median, startInstalled, weft } from "./measure.mjs";
import { measureTree, measureWhile } from "./process-tree.mjs";

const JOBS = 8;
const AT_ONCE = 2;
const JOB_SECONDS = 2;
const FETCH_SECONDS = 1;
const IDEAL_SECONDS = (JOBS * JOB_SECONDS) / AT_ONCE + FETCH_SECONDS;

/** Measures jobs whose inputs take a while to fetch. Ideally, a slot waits only for the first inputs. */
export async function benchFetch(folder, { rounds }) {
  const web = await startSlowWeb();
  const ran = [];
  const served = [];
  const server = await serverFor(folder);
  try {
    for (let round = 0; round < rounds; round++) {
      ran.push(await runInShell(folder, filesOf(web, `shell-${round}`)));
      served.push(await measureWhile(server.pid, () => server.runToEnd(requestOf(filesOf(web, `served-${round}`)))));
    }
  } finally {
    await server.stop();
    web.close();
  }
  const what = `${JOBS} jobs of ${JOB_SECONDS} s, ${AT_ONCE} at a time, each with an input that takes ${FETCH_SECONDS} s to fetch`;
  console.log(`${what}: ideally ${IDEAL_SECONDS.toFixed(1)} s; medians of ${rounds} turns`);
  for (const [name, measured] of Object.entries({ "weft run": ran, server: served })) {
    const seconds = median(measured.map(({ wallMs }) => wallMs)) / 1000;
    console.log(`  ${name}: ${seconds.toFixed(1)} s (${(seconds / IDEAL_SECONDS).toFixed(2)} of the ideal)`);
  }
}

/** Answers every request after a delay. */
async function startSlowWeb() {
  const server = createServer((request, response) => {
    setTimeout(() => response.end(`contents of ${request.url}\n`), FETCH_SECONDS * 1000);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Each run has new addresses, so that no file was fetched before. */
function filesOf({ address }, name) {
  return Array.from({ length: JOBS }, (_, job) => ({ class: "File", location: `${address}/${name}/${job}.txt` }));
}

function runInShell(folder, files) {
  const runFolder = join(folder, "fetch");
  mkdirSync(runFolder, { recursive: true });
  writeFileSync(join(runFolder, "sleep.cwl"), JSON.stringify(sleepNetwork()));
  writeFileSync(join(runFolder, "inputs.json"), JSON.stringify({ files }));
  const words = ["run", "--quiet", "--jobs", String(AT_ONCE), "--outdir", "outputs", "sleep.cwl", "inputs.json"];
  return measureTree([...weft(), ...words], { cwd: runFolder });
}

async function serverFor(folder) {
  const network = join(folder, "fetch-catalog/networks/sleep");
  mkdirSync(network, { recursive: true });
  writeFileSync(join(network, "sleep.cwl"), JSON.stringify(sleepNetwork()));
  const folders = ["--state", join(folder, "fetch-state"), "--catalog", join(folder, "fetch-catalog")];
  return startInstalled([...folders, "--jobs", String(AT_ONCE), "--allow-http", "127.0.0.1"], { adopt: true });
}

function requestOf(files) {
  return { network: "sleep", inputs: { files } };
}

function sleepNetwork() {
  const tool = {
    class: "CommandLineTool",
    baseCommand: ["sh", "-c", `cat "$0" && sleep ${JOB_SECONDS}`],
    inputs: { file: { type: "File", inputBinding: {} } },
    stdout: "contents.txt",
    outputs: { contents: "stdout" },
  };
  return {
    cwlVersion: "v1.2",
    class: "Workflow",
    requirements: { ScatterFeatureRequirement: {} },
    inputs: { files: "File[]" },
    outputs: { contents: { type: "File[]", outputSource: "sleep/contents" } },
    steps: { sleep: { run: tool, in: { file: "files" }, scatter: "file", out: ["contents"] } },
  };
}
