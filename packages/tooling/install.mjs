// Installs the packages in package-lock.json if node_modules does not have them yet. Runs on Node 20 and later.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAX_OUTPUT_BYTES = 100_000_000;
const STAMP = join(ROOT, "node_modules", ".weft-installed");

/** Returns quickly if nothing has changed since the last installation. */
export function ensureInstalled() {
  const lockHash = createHash("sha256")
    .update(readFileSync(join(ROOT, "package-lock.json")))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === lockHash) return;
  installLocked("installing npm packages", ROOT);
  requirePinnedNode();
  writeFileSync(STAMP, lockHash);
}

/** Ends this process if the pinned Node does not start: it needs a library that Debian's smallest systems lack. */
function requirePinnedNode() {
  const { pinnedNode } = createRequire(import.meta.url)("../cli/bin/pinned-node.cjs");
  const { status, error, stderr } = spawnSync(pinnedNode(), ["--version"], { encoding: "utf8" });
  if (status === 0) return;
  console.error(`weft: the Node that npm installed does not start: ${error?.message ?? stderr.trim()}`);
  if (/libatomic/.test(stderr ?? "")) console.error("weft: install the library: apt-get install libatomic1");
  process.exit(1);
}

/** Installs the packages in the lock file of a folder; ends this process if that fails. */
export function installLocked(what, folder) {
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  if (!prepare(what, "npm", args, { cwd: folder })) process.exit(1);
}

/**
 * Runs a command that installs or builds. Prints one line: its purpose and duration; a terminal counts the seconds as
 * they pass. The output of the command follows only if it fails. Returns whether it succeeded.
 */
export function prepare(what, command, args, options = {}) {
  const startMs = performance.now();
  const line = `weft: ${what} … `;
  process.stderr.write(line);
  const clock = process.stderr.isTTY ? startClock(line) : undefined;
  const quiet = { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: MAX_OUTPUT_BYTES };
  const { status, error, stdout, stderr } = spawnSync(command, args, { ...quiet, ...options });
  clock?.kill("SIGKILL");
  const seconds = `${((performance.now() - startMs) / 1000).toFixed(0)} s`;
  const ending =
    status === 0 ? seconds : `failed after ${seconds}\n${error?.message ?? `${stdout}${stderr}`.trimEnd()}`;
  process.stderr.write(`${clock === undefined ? "" : `\r${line}`}${ending}\n`);
  return status === 0;
}

/** Starts a separate process, because `spawnSync` blocks this one. It ends when this one ends and closes its input. */
function startClock(line) {
  const program = `let s = 0;
    setInterval(() => process.stderr.write("\\r" + process.argv[1] + ++s + " s"), 1000);
    process.stdin.on("end", () => process.exit()).resume();`;
  return spawn(process.execPath, ["-e", program, line], { stdio: ["pipe", "ignore", "inherit"] });
}

/** Runs a command in the root folder with its output shown; ends this process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (result.error !== undefined) {
    console.error(`weft: cannot run ${command}: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Like `run`, but returns whether the command succeeded. */
export function attempt(command, args, options = {}) {
  return spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options }).status === 0;
}
