// Packages the extension for VS Code with the official tool, and checks the content of the package.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import yauzl from "yauzl";
import { ROOT } from "../install.mjs";

/** Fetched only when needed, because it brings 120 packages that nothing else uses. */
const VSCE = "@vscode/vsce@3.6.2";
const MAX_BYTES = 2 * 1024 ** 2;

/** The files of the extension; everything else is its dependencies. */
const OWN = [
  "LICENSE.txt",
  "extension.cjs",
  "language-configuration.json",
  "package.json",
  "readme.md",
  "snippets/cwl.json",
  "syntaxes/cwl.tmLanguage.json",
];
const DEPENDENCIES = [
  "balanced-match",
  "brace-expansion",
  "minimatch",
  "semver",
  "vscode-jsonrpc",
  "vscode-languageclient",
  "vscode-languageserver-protocol",
  "vscode-languageserver-textdocument",
  "vscode-languageserver-types",
];

/** Writes `weft-cwl-VERSION.vsix` into a folder and returns its path. `epochS`: the time of every file in it. */
export async function buildExtension({ out, epochS }) {
  const folder = mkdtempSync(join(tmpdir(), "weft-extension-"));
  try {
    cpSync(join(ROOT, "editors/vscode"), folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
    cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const path = join(out, `${name}-${version}.vsix`);
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder);
    const pack = ["package", "--allow-missing-repository", "--out", path];
    run("npx", ["--yes", "--ignore-scripts", VSCE, ...pack], folder, { SOURCE_DATE_EPOCH: String(epochS) });
    await checkContents(path);
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program, args, cwd, env = {}) {
  const done = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${program} ${args[0]} failed: ${done.stdout}${done.stderr}`);
}

/** Throws for a missing file, and for an unexpected one. */
async function checkContents(path) {
  const found = new Set();
  const packages = new Set();
  let bytes = 0;
  const zip = await yauzl.openPromise(path, { lazyEntries: true });
  for await (const { fileName, compressedSize } of zip.eachEntry()) {
    bytes += compressedSize;
    const name = fileName.replace(/^extension\//, "");
    const [, dependency] = /^node_modules\/([^/]+)\//.exec(name) ?? [];
    if (dependency !== undefined) packages.add(dependency);
    else if (name !== fileName) found.add(name);
  }
  const difference = [...differences(found, OWN), ...differences(packages, DEPENDENCIES)];
  if (difference.length > 0) throw new Error(`${path}: ${difference.join(", ")}`);
  if (bytes > MAX_BYTES) throw new Error(`${path} has ${bytes} bytes; the limit is ${MAX_BYTES}`);
}

function differences(found, expected) {
  const extra = [...found].filter((name) => !expected.includes(name)).map((name) => `${name} should not be in it`);
  return [...extra, ...expected.filter((name) => !found.has(name)).map((name) => `${name} is missing`)];
}
