// Installs what package-lock.json names when node_modules does not hold it yet. Runs on any Node from 20 on.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STAMP = join(ROOT, "node_modules", ".weft-installed");

/** Quick when nothing has changed since the last time. */
export function ensureInstalled() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(ROOT, "package-lock.json")))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  console.error("weft: installing packages (npm ci; about half a minute the first time)");
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(STAMP, wanted);
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

/** As `run`, but answers whether it succeeded. */
export function attempt(command, args, options = {}) {
  return spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options }).status === 0;
}
