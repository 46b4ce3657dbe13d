#!/usr/bin/env node
// Hands over to the pinned Node, whichever Node (20 or newer) started this file: the server runs TypeScript directly.
"use strict";
const { spawn } = require("node:child_process");
const path = require("node:path");
const { pinnedNode, withCompileCache } = require("./pinned-node.cjs");

const main = path.join(__dirname, "..", "src", "main.ts");
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
