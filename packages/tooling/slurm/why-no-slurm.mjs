import { spawnSync } from "node:child_process";

const PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"];

/** Undefined when a Slurm of one's own can be started here, else why not. */
export function whyNoSlurm() {
  const missing = PROGRAMS.filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`], { env: slurmPath() }).status !== 0,
  );
  return missing.length === 0
    ? undefined
    : `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not installed (apt-get install slurm-wlm munge)`;
}

/** Daemons are kept where ordinary accounts do not look. */
export function slurmPath() {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}
