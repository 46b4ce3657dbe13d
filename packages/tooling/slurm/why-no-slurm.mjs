import { spawnSync } from "node:child_process";

const PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"];

/** Why a separate Slurm cannot be started on this machine; undefined if it can. */
export function whyNoSlurm() {
  const missing = PROGRAMS.filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`], { env: slurmPath() }).status !== 0,
  );
  return missing.length === 0
    ? undefined
    : `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not installed (apt-get install slurm-wlm munge)`;
}

/** Includes the folders of daemons, which the PATH of ordinary accounts lacks. */
export function slurmPath() {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}
