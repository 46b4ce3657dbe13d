// Builds the web application when its sources have changed since the last build.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, prepare, ROOT } from "./install.mjs";

const INPUTS = [
  "packages/web/src",
  "packages/web/public",
  "packages/web/index.html",
  "packages/web/theme-script.ts",
  "packages/web/docs",
  "docs",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "packages/web/vite.config.ts",
  "packages/cwl/src",
  "packages/language/src",
  "packages/shared/src",
  "packages/api/src/documentation/openapi",
  "package-lock.json",
];
const STAMP = join(ROOT, "packages/web/dist/.built-from");

/** The pinned Node, once packages are installed. */
export function pinnedNode() {
  return launching().pinnedNode();
}

/** The environment in which Weft starts. */
export function startEnvironment() {
  return launching().withCompileCache(process.env);
}

function launching() {
  return createRequire(import.meta.url)("../cli/bin/pinned-node.cjs");
}

/** Returns quickly if nothing has changed since the last build. */
export function ensureBuilt() {
  const current = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === current) return;
  const vite = ["node_modules/vite/bin/vite.js", "build", "packages/web", "--logLevel", "warn"];
  if (!prepare("building the web application", pinnedNode(), vite)) process.exit(1);
  writeFileSync(STAMP, current);
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const input of INPUTS) addTo(hash, input);
  return hash.digest("hex");
}

function addTo(hash, path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`);
  } else {
    hash.update(`${path}\0`).update(readFileSync(full));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  ensureInstalled();
  ensureBuilt();
}
