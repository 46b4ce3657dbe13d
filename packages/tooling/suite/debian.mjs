// Debian programs that tests use. They are installed if the account may do so; otherwise, the tests that need them are
// skipped. Runs on Node 20 and later.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const PATIENCE_MS = 300_000;
/** Keeps services of these packages from starting, because tests start their own. */
const ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
/** Programs by name, with the files whose presence shows that they are installed. */
export const PROGRAMS = {
  browser: { files: ["/usr/bin/chromium-headless-shell"], packages: ["chromium-headless-shell"] },
  wholeBrowser: { files: ["/usr/bin/chromium"], packages: ["chromium"] },
  bubblewrap: { files: ["/usr/bin/bwrap"], packages: ["bubblewrap"] },
  compilers: {
    files: ["/usr/bin/gcc", "/usr/bin/aarch64-linux-gnu-gcc", "/usr/bin/qemu-aarch64-static"],
    packages: ["gcc", "libc6-dev", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user-static"],
  },
  podman: {
    files: ["/usr/bin/podman", "/usr/sbin/runc", "/bin/busybox"],
    packages: ["podman", "runc", "iptables", "catatonit", "busybox-static"],
  },
  small: { files: ["/usr/bin/python3", "/usr/bin/unzip"], packages: ["python3", "unzip"] },
  slurm: {
    files: ["/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/sbatch"],
    packages: ["slurm-wlm", "slurmctld", "slurmd", "slurm-client", "munge", "slurm-wlm-basic-plugins"],
  },
};

/** Installs the packages of these names that are missing, in one go. Resolves even if the installation fails. */
export async function ensureDebianPackages(...names) {
  const missing = names.map((name) => PROGRAMS[name]).filter(({ files }) => !files.every((file) => existsSync(file)));
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
  const packages = missing.flatMap((each) => each.packages);
  console.error(`weft: installing programs for the tests (apt-get install ${packages.join(" ")})`);
  const isInstalled =
    (await succeeds("apt-get", ["update", "-qq"])) &&
    (await succeeds("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages]));
  if (!isInstalled) console.error("weft: apt-get failed; tests that need these programs are skipped");
}

/** Prints the errors of a command only if it fails. */
function succeeds(command, args) {
  const child = spawn(command, args, {
    env: ENVIRONMENT,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: PATIENCE_MS,
  });
  const errors = [];
  child.stderr.on("data", (chunk) => errors.push(chunk));
  return new Promise((resolve) =>
    child
      .once("error", () => resolve(false))
      .once("close", (code) => {
        if (code !== 0) process.stderr.write(Buffer.concat(errors));
        resolve(code === 0);
      }),
  );
}
