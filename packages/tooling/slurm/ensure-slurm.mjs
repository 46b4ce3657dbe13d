// Slurm for the tests in continuous integration, where root may install it. Elsewhere nothing is installed: the tests that
// need it say that they are skipped, and why.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { attempt } from "../install.mjs";

const PACKAGES = ["slurm-wlm", "slurmctld", "slurmd", "slurm-client", "munge", "slurm-wlm-basic-plugins"];
const PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"];
const PATIENCE_MS = 180_000;

/** Undefined when a Slurm of one's own can be started here, else why not. */
export function whyNoSlurm() {
  const missing = PROGRAMS.filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`], { env: slurmPath() }).status !== 0,
  );
  return missing.length === 0
    ? undefined
    : `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not installed`;
}

/** Daemons are kept where ordinary accounts do not look. */
export function slurmPath() {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}

/** `isAsked`: the Slurm tests were requested, so install it; otherwise only in CI. */
export function ensureSlurm(isAsked = false) {
  const mayInstall =
    process.getuid?.() === 0 && existsSync("/etc/debian_version") && (isAsked || process.env.CI === "true");
  if (!mayInstall || whyNoSlurm() === undefined) return;
  console.error(`weft: installing Slurm for the tests (apt-get install ${PACKAGES.join(" ")})`);
  // Its services are not to be started: the tests start their own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const quiet = { stdio: ["ignore", "ignore", "inherit"], timeout: PATIENCE_MS, env };
  const installed =
    attempt("apt-get", ["update", "-qq"], quiet) &&
    attempt("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...PACKAGES], quiet);
  if (!installed) console.error("weft: Slurm could not be installed; the tests that need it are skipped");
}
