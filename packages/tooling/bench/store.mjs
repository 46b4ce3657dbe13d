import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pinnedNode } from "../build.mjs";
import { compare, startInstalled } from "./measure.mjs";
import { load, REQUESTS } from "./serving.mjs";

const FILL = fileURLToPath(new URL("./fill-store.mjs", import.meta.url));
/** Two full pages of runs and of jobs, so that responses are as large as those from a larger store. */
const SMALL = { runs: 100, jobs: 200 };
const LARGE = { runs: 100, jobs: 1000 };
const MANY = { runs: 100_000, jobs: 0 };
const PAGE = 100;

/** Compares a large and a small store: requests with responses of equal size, and the start of a server. */
export async function benchStore(folder) {
  const small = fill(folder, "small", SMALL);
  await compareStores({ small, large: fill(folder, "large", LARGE) }, `${LARGE.runs} runs of ${LARGE.jobs} jobs`);
  await comparePages(fill(folder, "many", MANY));
}

function fill(folder, name, { runs, jobs }) {
  const state = join(folder, `store-${name}`);
  const { status } = spawnSync(pinnedNode(), [FILL, state, String(runs), String(jobs)], { stdio: "inherit" });
  if (status !== 0) throw new Error(`the store could not be filled: ${status}`);
  return state;
}

async function compareStores({ small, large }, what) {
  const servers = [await startInstalled(["--state", large]), await startInstalled(["--state", small])];
  const addresses = await Promise.all(servers.map(addressesOf));
  for (const name of Object.keys(addresses[0])) {
    await compare(
      `${REQUESTS} × ${name}, of ${what} / of a small store`,
      () => load(servers[0], addresses[0][name]),
      () => load(servers[1], addresses[1][name]),
    );
  }
  for (const server of servers) await server.stop();
  await compare(
    `start until ready, with ${what} / with a small store`,
    () => start(large),
    () => start(small),
  );
}

/** One address for each frequent query. */
async function addressesOf({ address }) {
  const runs = `${address}/api/runs?page_size=50`;
  const [{ run_id: runId }] = (await read(runs)).runs;
  const run = `${address}/api/runs/${runId}`;
  const jobs = `${run}/jobs?page_size=${PAGE}`;
  return {
    "the first page of runs": runs,
    "the last page of runs": await pageAt(runs, Number.POSITIVE_INFINITY),
    "the status of a run": `${run}/status`,
    "a run": run,
    "the first page of its jobs": jobs,
    "the last page of its jobs": await pageAt(jobs, Number.POSITIVE_INFINITY),
    "the state of the server": `${address}/api/server`,
    "the networks": `${address}/api/networks`,
  };
}

async function comparePages(state) {
  const server = await startInstalled(["--state", state]);
  const first = `${server.address}/api/runs?page_size=${PAGE}`;
  const thousandth = await pageAt(first, MANY.runs / PAGE);
  await compare(
    `${REQUESTS} × page ${MANY.runs / PAGE} / page 1 of ${MANY.runs} runs`,
    () => load(server, thousandth),
    () => load(server, first),
  );
  await server.stop();
}

/** The address of a page, counted from 1, or of the last full page if there are fewer. */
async function pageAt(address, number) {
  let found = address;
  for (let page = 2; page <= number; page++) {
    const { next_page_token: token } = await read(found);
    if (token === "") break;
    found = `${address}&page_token=${encodeURIComponent(token)}`;
  }
  return found;
}

async function read(address) {
  return (await fetch(address)).json();
}

async function start(state) {
  const startMs = performance.now();
  const server = await startInstalled(["--state", state]);
  await fetch(`${server.address}/readyz`);
  const wallMs = performance.now() - startMs;
  await server.stop();
  return { wallMs };
}
