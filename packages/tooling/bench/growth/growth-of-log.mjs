import { join } from "node:path";
import { processorMs } from "../serving.mjs";
import { commandMs, constant, fill, peakMib, requests, work } from "./figures.mjs";
import { startInstalled } from "../measure.mjs";

/** Number of `runEvents` of a run with one job. */
const EVENTS_OF_RUN = 9;
/** Pages are full at every size. */
const PAGE = "page_size=50";

/** Measures a log with this many events: operations that read all of it, and those that read only a page. */
export async function growthOfLog(folder, events) {
  const state = join(folder, "state");
  fill("fill-store.mjs", state, Math.ceil(events / EVENTS_OF_RUN), 1);
  const backup = join(folder, "backup");
  const commands = {
    "back up": work(commandMs("backup", "--state", state, backup)),
    "verify the log": work(commandMs("verify", "--log-only", "--state", state)),
    "list what can be pruned": work(commandMs("prune", "--state", state)),
  };
  const server = await startInstalled(["--state", state]);
  try {
    const start = { "start until ready": constant(await readyMs(server)) };
    return { ...commands, ...start, ...(await pages(server)), memory: constant(peakMib(server.pid), "MiB") };
  } finally {
    await server.stop();
  }
}

async function readyMs({ address, pid }) {
  await fetch(`${address}/readyz`);
  return processorMs(pid);
}

async function pages(server) {
  const { runs } = await (await fetch(`${server.address}/api/runs?${PAGE}`)).json();
  const runId = runs[0].run_id;
  const addresses = {
    "100 × first page of runs": `/api/runs?${PAGE}`,
    "100 × runs of one state": `/api/runs?${PAGE}&state=COMPLETE`,
    "100 × runs with a part of a name": `/api/runs?${PAGE}&q=run`,
    "100 × status of a run": `/api/runs/${runId}/status`,
    "100 × lineage of a run": `/api/runs/${runId}/lineage?depth=1`,
    "100 × files with a part of a name": "/api/provenance/files?q=txt",
    "100 × networks": "/api/networks",
  };
  const figures = {};
  for (const [name, path] of Object.entries(addresses)) figures[name] = constant(await requests(server, path));
  // The page counts the runs of the last day.
  figures["100 × state of the server, all runs of one day"] = work(await requests(server, "/api/server"));
  return figures;
}
