// npm run dev: the API with reload and `vite dev` with hot module replacement in front of it.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pinnedNode } from "./build.mjs";
import { ensureInstalled, ROOT } from "./install.mjs";

ensureInstalled();
const node = pinnedNode();
const port = process.env.WEFT_PORT ?? "8080";
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
      ...process.argv.slice(2),
    ],
    { stdio: "inherit", cwd: ROOT },
  ),
  spawn(node, ["node_modules/vite/bin/vite.js", "packages/web"], {
    stdio: "inherit",
    cwd: ROOT,
    env: { ...process.env, WEFT_API: `http://127.0.0.1:${port}` },
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
