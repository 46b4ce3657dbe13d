// Tests the ways in which Slurm itself ends jobs, each on a real cluster: out of memory, time limit, preemption, a dead node,
// a user's scancel; and a job that can never begin.
import { accessSync, constants } from "node:fs";
import { getJson, postRun } from "../reliability/server-process.mjs";
import { until } from "./cluster.mjs";
import { killNode } from "./kill-node.mjs";
import { endedRun } from "./slurm-site.mjs";

/** Slurm counts time limits in minutes, and checks them from time to time. */
const SETTINGS = { options: ["--time=1"] };
const PATIENCE_MS = 180_000;
/** Each job has a node to itself. */
const CPUS = 4;

/** Options of the site, for `openSite`. */
export function clusterOfEnds() {
  return { nodes: 6, cpus: CPUS, cgroups: mayUseCgroups(), preempts: true, slurm: SETTINGS };
}

/** Returns a summary and the deviations. */
export async function endsBySlurm(site) {
  const server = site.serve("ends");
  const { address } = await server.address;
  const cgroups = mayUseCgroups();
  const cases = Object.entries({ ...(cgroups ? OUT_OF_MEMORY : {}), ...ENDS });
  const found = await Promise.all(cases.map(([name, end]) => tryEnd({ address, site, name, ...end })));
  await server.stop("SIGTERM");
  const untested = cgroups
    ? ""
    : " (out of memory was not tested: that requires root and the first version of control groups)";
  return { summary: `${cases.length} ways to end${untested}`, found: found.flat() };
}

/** Requires control groups of version 1, as Slurm 22.05 is set up here. */
function mayUseCgroups() {
  try {
    for (const name of ["freezer", "memory"]) accessSync(`/sys/fs/cgroup/${name}/release_agent`, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** `act`: called once the job runs; `waits`: the job never runs, and its record must contain this message. */
async function tryEnd({ address, site, name, command = "sleep 300", cores = CPUS, code, message, act, waits }) {
  const id = await postRun(address, encodeURIComponent(name), {
    tool: "end",
    inputs: { command, cores },
    options: { retries: 0 },
  });
  const job = () => getJson(address, `/api/runs/${id}/jobs/main`);
  if (waits !== undefined) return neverBegins({ address, id, name, job, waits });
  if (act !== undefined) {
    const isRunning = async () => (await job()).state === "RUNNING";
    await until(`${name}: a job that runs`, isRunning, { withinMs: PATIENCE_MS });
    await act(site.cluster, (await job()).backend.native_id);
  }
  const { state, state_reason: reason } = await endedRun(address, id, PATIENCE_MS);
  const isRight = reason?.code === code && message.test(reason.message);
  return isRight ? [] : [`${name}: the run is ${state}: ${JSON.stringify(reason)}`];
}

async function neverBegins({ address, id, name, job, waits }) {
  let reason;
  const isReported = async () => waits.test((reason = (await job()).state_reason?.message) ?? "");
  const wasReported = await until(name, isReported, { withinMs: 30_000 }).then(
    () => true,
    () => false,
  );
  await fetch(`${address}/api/runs/${id}`, { method: "DELETE" });
  await endedRun(address, id, PATIENCE_MS);
  return wasReported ? [] : [`${name}: its record has the reason ${reason}`];
}

/** `tail` keeps its input in memory. */
const GREEDY = "head -c 300m /dev/zero | tail -c 299m >/dev/null";
const OUT_OF_MEMORY = {
  "out of memory": {
    command: `${GREEDY} || exit 1`,
    code: "OUT_OF_MEMORY",
    message: /the kernel of n\d killed a process/,
  },
  "out of memory in silence": {
    command: `${GREEDY}; exit 0`,
    code: "OUT_OF_MEMORY",
    message: /the kernel of n\d killed/,
  },
};
const ENDS = {
  "time over": { code: "TIME_LIMIT", message: /\(TIMEOUT, n\d\)/ },
  preempted: { act: preempt, code: "PREEMPTED", message: /\(PREEMPTED, n\d\)/ },
  "a dead node": {
    act: (cluster, id) => killNode(cluster, nodeOf(cluster, id)),
    code: "NODE_FAIL",
    message: /\(NODE_FAIL, n\d\)/,
  },
  "someone's scancel": {
    act: (cluster, id) => cluster.run("scancel", id),
    code: "BACKEND_LOST",
    message: /\(CANCELLED, n\d\)/,
  },
  "more cores than there are": { cores: 100, waits: /PartitionConfig \(.*wait forever\)/ },
};

/** Submits a job with a higher priority for the node on which this job runs. */
function preempt(cluster, id) {
  const node = nodeOf(cluster, id);
  cluster.run(
    "sbatch",
    "--partition=first",
    `--nodelist=${node}`,
    "--exclusive",
    "--output=/dev/null",
    "--wrap=sleep 1",
  );
}

function nodeOf(cluster, id) {
  return cluster.run("squeue", "--noheader", `--job=${id}`, "--format=%N").stdout.trim();
}
