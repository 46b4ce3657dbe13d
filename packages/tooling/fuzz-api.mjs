// node packages/tooling/fuzz-api.mjs [--requests N] [--seed S]: requests made from /swagger.json against a real server on a
// state folder of its own; every answer must be as declared, none may be 5xx. Ends with 1 when one is not.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pinnedNode } from "./build.mjs";
import { ensureInstalled, ROOT } from "./install.mjs";

ensureInstalled();
const node = pinnedNode();
const folder = mkdtempSync(join(tmpdir(), "weft-fuzz-"));
const flags = ["--port", "0", "--state", folder, "--read-rate", "0", "--write-rate", "0"];
const server = spawn(node, ["--disable-proto=delete", join(ROOT, "packages/cli/src/main.ts"), "serve", ...flags], {
  stdio: ["ignore", "pipe", "inherit"],
});
const address = await new Promise((resolve, reject) => {
  server.stdout.on("data", (chunk) => resolve(/on (\S+)/.exec(String(chunk))?.[1]));
  server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
});
const command = join(ROOT, "packages/api/test/fuzz/fuzz-command.ts");
const { status } = spawnSync(node, [command, address, ...process.argv.slice(2)], { stdio: "inherit" });
server.kill("SIGTERM");
await new Promise((resolve) => server.once("exit", resolve));
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);
