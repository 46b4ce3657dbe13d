import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCluster, until } from "../slurm/cluster.mjs";
import { whyNoSlurm } from "../slurm/why-no-slurm.mjs";
import { bareNode, compare, weft } from "./measure.mjs";
import { measureTree } from "./process-tree.mjs";
import { scatterNetwork } from "./scatter-network.mjs";

const JOBS = 200;
const PENDING = 10_000;
const ARRAY = 1000;
const POLL_SECONDS = 0.5;

/** Measures Weft's overhead over Slurm: trivial jobs compared with the same jobs in sbatch alone, and a long queue. */
export async function benchSlurm(folder) {
  const missing = whyNoSlurm();
  if (missing !== undefined) return console.log(`slurm: ${missing}`);
  const cluster = await startCluster(join(folder, "cluster"));
  try {
    await compare(
      `${JOBS} trivial jobs on 4 nodes, weft run --backend slurm / one array of sbatch`,
      weftOn(cluster, folder),
      () => arrayOf(cluster, folder),
      3,
    );
    await lookAtQueue(cluster);
  } finally {
    await cluster.stop();
  }
}

function weftOn({ conf }, folder) {
  const runFolder = join(folder, "slurm");
  mkdirSync(join(runFolder, "state"), { recursive: true });
  const numbers = Array.from({ length: JOBS }, (_, index) => index);
  const slurm = { poll_seconds: POLL_SECONDS, shared_folder_latency_seconds: 5 };
  const files = { "weft.config.json": { slurm }, "network.json": scatterNetwork(), "inputs.json": { numbers } };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(runFolder, name), JSON.stringify(content));
  const inFolder = ["env", `SLURM_CONF=${conf}`, "sh", "-c", 'cd "$0" && exec "$@"', runFolder];
  const run = [
    "run",
    "--quiet",
    "--backend",
    "slurm",
    "--state",
    join(runFolder, "state"),
    "--outdir",
    join(runFolder, "outputs"),
  ];
  return async () => ({
    ...(await measureTree([...inFolder, ...weft(), ...run, "network.json", "inputs.json"])),
    cpuMs: 0,
  });
}

/** Runs the commands with their output in files, and checks for the end as often as Weft does. */
async function arrayOf(cluster, folder) {
  const startMs = performance.now();
  const wrap = `echo $SLURM_ARRAY_TASK_ID > ${folder}/slurm-$SLURM_ARRAY_TASK_ID.txt`;
  const options = [`--array=0-${JOBS - 1}`, "--export=PATH", "--output=/dev/null", "--chdir=/", `--wrap=${wrap}`];
  const { status, stderr } = cluster.run("sbatch", ...options);
  if (status !== 0) throw new Error(`sbatch ended with ${status}: ${stderr}`);
  await until("the end of the array", () => cluster.queue().length === 0, {
    everyMs: POLL_SECONDS * 1000,
    withinMs: 900_000,
  });
  return { wallMs: performance.now() - startMs, cpuMs: 0 };
}

async function lookAtQueue(cluster) {
  for (let n = 0; n < PENDING / ARRAY; n++)
    cluster.run("sbatch", "--hold", `--array=0-${ARRAY - 1}`, `--job-name=weft-bench-${n}`, "--wrap=true");
  const script = fileURLToPath(new URL("slurm-look.mjs", import.meta.url));
  const env = { ...process.env, ...cluster.env };
  const { status, stdout, stderr } = spawnSync(bareNode(), [script, String(PENDING)], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`);
  console.log(`one poll of a queue with ${PENDING} jobs that wait: ${stdout.trim()}`);
}
