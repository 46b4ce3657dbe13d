// npm run release:try: installs each package that `npm run release` built on a machine that has only what the
// package needs, starts its server and runs the shipped network until it is complete. Prints seconds and megabytes.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeBareDebian, whyNoBareDebian } from "../bare-debian.mjs";
import { pinnedNode } from "../build.mjs";
import { ROOT } from "../install.mjs";
import { tryImage, whyNoImage } from "./image.mjs";
import { serveAndRun } from "./serve-and-run.mjs";

const RELEASE = resolve(process.argv[2] ?? join(ROOT, "release"));
const folder = mkdtempSync(join(tmpdir(), "weft-release-"));
const serve = (state) => ["serve", "--port", "0", "--auth", "none", "--state", state];

const TRIALS = [
  ["source tree", () => trySources],
  ["npm package, first start", () => tryNpmPackage],
  ["npm package", () => tryNpmPackage],
  ["executable, first start", () => (whyNoBareDebian() === undefined ? tryExecutable : undefined)],
  ["executable", () => (whyNoBareDebian() === undefined ? tryExecutable : undefined)],
  ["Debian package", () => (whyNoBareDebian() === undefined ? tryDebianPackage : undefined)],
  ["container image", () => (whyNoImage() === undefined ? tryLoadedImage : undefined)],
];

let failed = false;
try {
  for (const [name, find] of TRIALS) await report(name, find());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

async function report(name, run) {
  if (run === undefined) return console.log(`${name}: not tried: this needs root, Debian and mmdebstrap`);
  try {
    const { megabytes, listeningMs, completeMs } = await run();
    const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
    console.log(
      `${name}: ${megabytes.toFixed(1)} MB; listening after ${seconds(listeningMs)}, run complete after ${seconds(completeMs)}`,
    );
  } catch (error) {
    failed = true;
    console.log(`${name}: failed: ${error.message}`);
  }
}

function trySources() {
  const main = join(ROOT, "packages/cli/src/main.ts");
  return timed(0, pinnedNode(), ["--disable-proto=delete", main, ...serve(join(folder, "state-of-sources"))]);
}

/** Installs offline: the package depends on no other package. */
function tryNpmPackage() {
  const prefix = join(folder, "npm");
  const file = artifact(/^weft-workflows-.*\.tgz$/);
  must("npm", ["install", "--global", "--prefix", prefix, "--offline", "--no-audit", "--no-fund", file]);
  const caches = join(folder, "caches-of-npm");
  const env = { ...process.env, PATH: `${join(pinnedNode(), "..")}:/usr/bin:/bin`, XDG_CACHE_HOME: caches };
  return timed(megabytesOf(file), join(prefix, "bin/weft"), serve(join(folder, "state-of-npm")), { env });
}

async function tryExecutable() {
  const file = artifact(/^weft-.*-linux-x64$/);
  const root = await bareRoot();
  copyFileSync(file, join(root, "usr/local/bin/weft"));
  return inRoot(root, megabytesOf(file), ["/usr/local/bin/weft", ...serve("/root/state")]);
}

async function tryDebianPackage() {
  const file = artifact(/\.deb$/);
  const root = await bareRoot();
  copyFileSync(file, join(root, "root/weft.deb"));
  const install =
    "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /root/weft.deb";
  must("chroot", [root, "sh", "-c", install]);
  return inRoot(root, megabytesOf(file), ["/usr/bin/weft", ...serve("/var/lib/weft/state")], ["--userspec=weft"]);
}

async function tryLoadedImage() {
  const file = artifact(/-image\.tar\.gz$/, "npm run release -- --image");
  const { stdout } = must("sh", ["-c", 'gunzip --stdout "$0" | podman load --quiet', file]);
  return { megabytes: megabytesOf(file), ...(await tryImage(stdout.trim().replace(/^Loaded image: /, ""))) };
}

/** A Debian without Node, git or a compiler. */
async function bareRoot() {
  const root = join(folder, "root");
  if (!existsSync(root)) await makeBareDebian(root);
  return root;
}

/** Runs a command in the root with /proc and /dev, which every Debian has. */
async function inRoot(root, megabytes, command, options = []) {
  const mounts = [
    ["-t", "proc", "proc", join(root, "proc")],
    ["--bind", "/dev", join(root, "dev")],
  ];
  for (const mount of mounts) must("mount", mount);
  try {
    const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: options.length > 0 ? "/var/lib/weft" : "/root" };
    return await timed(megabytes, "chroot", [...options, root, ...command], { env });
  } finally {
    for (const mount of mounts) must("umount", [mount.at(-1)]);
  }
}

async function timed(megabytes, command, args, options) {
  return { megabytes, ...(await serveAndRun(command, args, options)) };
}

function artifact(pattern, command = "npm run release") {
  const name = readdirSync(RELEASE).find((file) => pattern.test(file));
  if (name === undefined) throw new Error(`no file in ${RELEASE} matches ${pattern}; run \`${command}\` first`);
  return join(RELEASE, name);
}

function megabytesOf(file) {
  return statSync(file).size / 1e6;
}

function must(command, args) {
  const done = spawnSync(command, args, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${command} failed: ${done.error?.message ?? done.stderr}`);
  return done;
}
