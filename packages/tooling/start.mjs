// npm start: installs and builds what is missing, then serves.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, pinnedNode, startEnvironment } from "./build.mjs";
import { ensureInstalled, ROOT } from "./install.mjs";

ensureInstalled();
ensureBuilt();
const server = spawn(
  pinnedNode(),
  ["--disable-proto=delete", join(ROOT, "packages/cli/src/main.ts"), "serve", ...process.argv.slice(2)],
  { stdio: "inherit", env: startEnvironment() },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" || signal === "SIGTERM" ? 0 : 1)));
