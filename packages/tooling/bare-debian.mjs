// Makes a minimal Debian system in a folder, from the package sources of this machine: for `npm run release:try`, for the
// container image and for `npm run test:fresh`.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SOURCES = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"];
/** The files that a system needs to download in the same way as this machine. */
const NETWORK_FILES = ["/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"];

/** Why this machine cannot make a bare Debian; undefined if it can. */
export function whyNoBareDebian() {
  if (process.getuid?.() !== 0) return "needs root (sudo)";
  if (debianHere() === undefined) return "needs Debian (run it on Debian)";
  return spawnSync("mmdebstrap", ["--version"]).error && "needs mmdebstrap (apt-get install mmdebstrap)";
}

/** The release and the package sources of this machine; undefined if it is not Debian. */
export function debianHere() {
  const sources = SOURCES.find((path) => existsSync(path));
  if (sources === undefined || !existsSync("/etc/os-release")) return undefined;
  const release = readFileSync("/etc/os-release", "utf8");
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1];
  return /^ID=debian$/m.test(release) && codename !== undefined ? { sources, codename } : undefined;
}

/** Makes a system with the required packages, apt and `packages`, in a folder that does not exist yet. */
export async function makeBareDebian(root, packages = [], options = {}) {
  const { codename, sources } = debianHere();
  const include = packages.length === 0 ? [] : [`--include=${packages.join(",")}`];
  await must("mmdebstrap", ["--quiet", "--variant=minbase", ...include, codename, root, sources], options);
  shareNetwork(root);
}

/** Runs a command without output; resolves when it has succeeded, and rejects with its error output. */
export async function must(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const errors = [];
  child.once("error", (error) => errors.push(Buffer.from(error.message)));
  child.stderr.on("data", (chunk) => errors.push(chunk));
  const status = await new Promise((resolve) => child.once("close", resolve));
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${Buffer.concat(errors)}`);
}

/** Copies the name servers, certificates and apt proxies of this machine. */
function shareNetwork(root) {
  for (const path of NETWORK_FILES.filter((file) => existsSync(file))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  const settings = spawnSync("apt-config", ["dump", "Acquire"], { encoding: "utf8" }).stdout.split("\n");
  const network = settings.filter((line) => /^Acquire::(https?|Check-|Retries)/.test(line));
  writeFileSync(join(root, "etc/apt/apt.conf.d/99network"), `${network.join("\n")}\n`);
}
