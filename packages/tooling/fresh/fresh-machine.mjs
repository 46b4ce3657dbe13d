// A fresh machine: a bare Debian with Node 20, npm, git and a clean clone, in which commands run as root or as an ordinary
// account.
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeBareDebian, must } from "../bare-debian.mjs";
import { ROOT } from "../install.mjs";

/** The programs that the README requires. */
const PACKAGES = ["git", "ca-certificates", "libatomic1"];
/** Debian's own Node is too old. The packages on npm contain the binaries from nodejs.org. */
const NODE = [`node-linux-${process.arch}@20`, "npm@10"];
const HOMES = { root: "/root", newcomer: "/home/newcomer" };
const SETTINGS_OF_NPM = ["registry", "cafile", "proxy", "https-proxy"];

/** Makes a machine; `signal` cancels it. */
export async function makeMachine(root, packages, signal) {
  await makeBareDebian(root, [...PACKAGES, ...packages], { signal });
  // Debian's installer would write this file.
  writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n");
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  await must("npm", ["install", "--global", "--prefix", join(root, "usr/local"), ...quiet, ...NODE], { signal });
  await must("chroot", [root, "useradd", "--create-home", "--shell", "/bin/bash", "newcomer"], { signal });
}

/** A copy of a machine, with a clean clone of the commit that is checked out here in the home of the account. */
export async function copyMachine(from, { root, account, signal }) {
  await must("cp", ["--archive", "--reflink=auto", from, root], { signal });
  const clone = join(root, HOMES[account], "weft");
  await must("git", ["clone", "--quiet", "--no-hardlinks", ROOT, clone], { signal });
  await must("git", ["-C", clone, "checkout", "--quiet", "--detach", commitHere()], { signal });
  await must("chroot", [root, "chown", "--recursive", `${account}:`, `${HOMES[account]}/weft`], { signal });
}

export function commitHere() {
  return spawnSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).stdout.trim();
}

/** Starts a command in the clone, in a separate process group. All its processes end with it, or when `signal` aborts. */
export function startIn({ root, account, signal }, command, env) {
  const namespaces = ["--mount", "--pid", "--fork", "--kill-child"];
  const script = fileURLToPath(new URL("start-machine.sh", import.meta.url));
  return spawn("unshare", [...namespaces, "sh", script, root, account, command], {
    env: { ...environmentOf(account), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    signal,
    killSignal: "SIGKILL",
  });
}

/** The variables that a login sets, and the settings with which this machine reaches registries. */
function environmentOf(account) {
  const bin = account === "root" ? "/usr/local/sbin:/usr/sbin:/sbin:" : "";
  const shared = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  return {
    ...Object.fromEntries(shared),
    ...Object.fromEntries(SETTINGS_OF_NPM.flatMap(settingOfNpm)),
    PATH: `${bin}/usr/local/bin:/usr/bin:/bin`,
    HOME: HOMES[account],
    USER: account,
    LOGNAME: account,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
  };
}

function settingOfNpm(name) {
  const value = spawnSync("npm", ["config", "get", name], { encoding: "utf8" }).stdout.trim();
  return ["", "null", "undefined"].includes(value) ? [] : [[`npm_config_${name.replace("-", "_")}`, value]];
}
