// Runs a network with the TypeScript client (`npm install ./weft-client-VERSION.tgz`):
//
//   node run-network.ts http://127.0.0.1:8080 imaging-cohort inputs.json
//
// Starts the network with the inputs of the file, waits for it and prints its output object as JSON. Exits with 0 if the run is
// COMPLETE, otherwise with 1. Ctrl-C aborts the run. If the server requires a login, set WEFT_TOKEN to a token.
// Node 22.18 or newer runs this file as it is.
import { readFile } from "node:fs/promises";
import { parseExact, Weft, WeftError, writeExact } from "weft-client";

const [base = "", network = "", inputsFile = ""] = process.argv.slice(2);
if (inputsFile === "") {
  console.error("usage: node run-network.ts ADDRESS NETWORK INPUTS.json");
  process.exit(2);
}
const weft = new Weft(base, { token: process.env["WEFT_TOKEN"] });

async function runToEnd(): Promise<string> {
  const inputs = parseExact(await readFile(inputsFile, "utf8")) as Record<string, unknown>;
  const { run_id: runId } = await weft.start(network, inputs);
  process.once("SIGINT", () => void weft.abort(runId));
  console.error(`run ${weft.base}/api/runs/${runId}`);
  const { state } = await weft.wait(runId);
  await printFailedJobs(runId);
  console.log(writeExact(await weft.outputs(runId), 2));
  return state;
}

async function printFailedJobs(runId: string): Promise<void> {
  const query = { state: "EXECUTOR_ERROR,SYSTEM_ERROR" };
  const { jobs } = await weft.call("GET /api/runs/{run_id}/jobs", { path: { run_id: runId }, query });
  for (const { job_id: jobId } of jobs)
    console.error(`job ${jobId} failed: ${await weft.log(runId, jobId, { tail: 2000 })}`);
}

try {
  const state = await runToEnd();
  console.error(state);
  process.exitCode = state === "COMPLETE" ? 0 : 1;
} catch (error) {
  if (!(error instanceof WeftError)) throw error;
  console.error(`refused: ${error.message}`);
  process.exitCode = 1;
}
