// npm run dev: the API with reload and `vite dev` with hot module replacement in front of it. It uses a separate state
// folder, .weft-dev, with demonstration runs in every state (`--no-demo`: without; other flags are those of `weft serve`).
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pinnedNode } from "./build.mjs";
import { seedDemoRuns } from "./demo-runs.mjs";
import { ensureInstalled, ROOT } from "./install.mjs";

ensureInstalled();
const node = pinnedNode();
const port = process.env.WEFT_PORT ?? "8080";
const api = `http://127.0.0.1:${port}`;
const flags = process.argv.slice(2).filter((flag) => flag !== "--no-demo");
const children = [
  spawn(
    node,
    [
      "--disable-proto=delete",
      "--watch",
      join(ROOT, "packages/cli/src/main.ts"),
      "serve",
      "--port",
      port,
      "--state",
      process.env.WEFT_STATE ?? join(ROOT, ".weft-dev"),
      ...flags,
    ],
    { stdio: "inherit", cwd: ROOT },
  ),
  spawn(node, ["node_modules/vite/bin/vite.js", "packages/web"], {
    stdio: "inherit",
    cwd: ROOT,
    env: { ...process.env, WEFT_API: api },
  }),
];
const stop = () => children.forEach((child) => child.kill());
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
for (const child of children) {
  child.on("exit", (code) => {
    stop();
    process.exitCode ??= code ?? 0;
  });
}
if (!process.argv.includes("--no-demo")) {
  seedDemoRuns(api).then(
    (started) => started.length > 0 && console.error(`weft: started the demonstration runs ${started.join(", ")}`),
    (error) => console.error(`weft: no demonstration runs: ${error.message}`),
  );
}
