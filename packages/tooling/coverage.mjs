// npm run coverage [-- TIER… WORD…]: runs tests (pure, service and machine, or the tiers that are named), and prints which lines
// and branches of packages/*/src they reach, over all their processes.
//   --read FOLDER      print the results of an earlier run (NODE_V8_COVERAGE) instead of running tests; may be repeated
//   --of CHECKOUT      the checkout whose sources were covered, if it is not this one
//   --files            also print the lines of each file that no test reaches
// Node strips types in place, so offsets are those of the sources. V8 reports branches only of functions that were called: compare
// the number of branches that are reached, too. Components (.tsx) run in browsers and are not counted.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensureInstalled, ROOT } from "./install.mjs";
import { onPinnedNode } from "./reliability/on-pinned-node.mjs";

const TIERS = ["pure", "service", "machine"];
const SOURCE = /^([^/]+)\/src\/(?!.*(?:\.test\.ts$|\.d\.ts$|\/testing\/)).*\.ts$/u;

ensureInstalled();
onPinnedNode();
process.removeAllListeners("warning"); // about stripTypeScriptTypes, which is experimental
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    read: { type: "string", multiple: true },
    of: { type: "string", default: ROOT },
    files: { type: "boolean", default: false },
  },
});
const packages = join(resolve(values.of), "packages");
const sources = readSources();
if (values.read === undefined) coverTests();
else values.read.forEach(addFolder);
printFigures();

/** Every source that has code, by its URL. */
function readSources() {
  const paths = readdirSync(packages, { recursive: true }).filter((path) => SOURCE.test(path));
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(packages, path), "utf8");
      const reached = new Uint8Array(text.length);
      return [pathToFileURL(join(packages, path)).href, { path, text, reached, branches: new Map() }];
    }),
  );
}

function coverTests() {
  const folder = mkdtempSync(join(tmpdir(), "weft-coverage-"));
  // Some tests run as another account.
  chmodSync(folder, 0o1777);
  try {
    const preload = fileURLToPath(new URL("cover-test-process.mjs", import.meta.url));
    const env = { ...process.env, NODE_V8_COVERAGE: folder, NODE_OPTIONS: `--import=${preload}` };
    const words = positionals.length === 0 ? TIERS : positionals;
    const suite = fileURLToPath(new URL("suite/run-suite.ts", import.meta.url));
    process.exitCode = spawnSync(process.execPath, [suite, ...words], { cwd: ROOT, env, stdio: "inherit" }).status ?? 1;
    addFolder(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds one file after another: together, they may not fit into memory. */
function addFolder(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".json")))
    for (const script of scriptsIn(join(folder, name))) {
      const source = sources.get(script.url);
      if (source !== undefined) addScript(source, script.functions);
    }
}

/** Empty for a truncated file, which a process leaves if it is killed while writing. */
function scriptsIn(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).result;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}

/** Inner ranges follow those that contain them, and override them. */
function addScript({ reached, branches }, functions) {
  const covered = new Uint8Array(reached.length);
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) {
      covered.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      branches.set(`${startOffset} ${endOffset}`, startOffset);
    }
  for (let index = 0; index < covered.length; index++) reached[index] |= covered[index];
}

function printFigures() {
  const files = [...sources.values()].map((source) => ({ ...source, ...figuresOf(source) }));
  const byPackage = Map.groupBy(files, ({ path }) => path.split("/")[0]);
  console.log("package    lines reached             branches reached");
  for (const [name, all] of [...byPackage].toSorted(([a], [b]) => (a < b ? -1 : 1))) console.log(row(name, all));
  console.log(row("all", files));
  if (!values.files) return;
  for (const { path, missed } of files.filter(({ missed }) => missed.length > 0))
    console.log(`${path}: ${missed.length} lines: ${missed.join(" ")}`);
}

function figuresOf({ path, text, reached, branches }) {
  const lines = codeLines(path, text);
  const missed = lines
    .filter(({ start, end }) => !reached.subarray(start, end).includes(1))
    .map(({ number }) => number);
  const starts = [...branches.values()];
  return {
    missed,
    lines: lines.length,
    linesReached: lines.length - missed.length,
    branchCount: starts.length,
    branchesReached: starts.filter((start) => reached[start] === 1).length,
  };
}

/** Lines with something other than types and comments; without white space at their ends. */
function codeLines(path, text) {
  let offset = 0;
  return codeOf(path, text)
    .split("\n")
    .flatMap((line, index) => {
      const start = offset + (line.length - line.trimStart().length);
      offset += line.length + 1;
      const code = line.trim();
      return code === "" || /^(\/\/|\/\*|\*)/u.test(code)
        ? []
        : [{ number: index + 1, start, end: start + code.length }];
    });
}

function codeOf(path, text) {
  const code = stripTypeScriptTypes(text);
  if (code.length !== text.length) throw new Error(`the offsets in ${path} change if its types are stripped`);
  return code;
}

function row(name, files) {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  const percent = (reached, all) => (all === 0 ? "–" : `${((100 * reached) / all).toFixed(2)} %`);
  const part = (reached, all) => `${reached} of ${all}`.padEnd(17) + percent(reached, all).padEnd(9);
  return `${name.padEnd(11)}${part(sum("linesReached"), sum("lines"))}${part(sum("branchesReached"), sum("branchCount"))}`;
}
