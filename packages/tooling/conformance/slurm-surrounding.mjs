import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCluster } from "../slurm/cluster.mjs";
import { whyNoSlurm } from "../slurm/why-no-slurm.mjs";

/** Cases mostly wait for Slurm. */
const CASES_AT_ONCE = 4;

/** Starts a Slurm cluster of four nodes on this machine, which runs every job of the suite. */
export async function openSlurm(scratch) {
  const why = whyNoSlurm();
  if (why !== undefined) return { missing: why };
  const cluster = await startCluster(join(scratch, "cluster"));
  const config = join(scratch, "slurm.json");
  const slurm = { poll_seconds: 0.5, shared_folder_latency_seconds: 3 };
  writeFileSync(config, JSON.stringify({ backend: "slurm", container: "none", slurm }));
  const env = { ...cluster.env, WEFT_BACKEND: "slurm" };
  return { config, env, jobs: CASES_AT_ONCE, flags: [], close: () => cluster.stop() };
}
