// Figures about the structure of the sources, compared with those in structure-figures.json: they may fall, but never rise.
// Figures about documents have limits. `npm run check` compares them. `--record` writes today's figures into the file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { jobPath } from "./job-path.mjs";
import { folderOf, importsWithin, sourcesOf, type Sources } from "./layers.ts";
import { functionsOf } from "./long-functions.ts";

export type Figures = Readonly<Record<string, number>>;

const PACKAGES = ["shared", "cwl", "language", "engine", "api", "cli", "web"];
const CYCLE_DEPTHS = [1, 2];
const LONG_LINES = 40;
const COMMITTED = join(import.meta.dirname, "structure-figures.json");
const RECORD = "npx node packages/tooling/structure.ts --record";

/** Limits on how much readers have to read. */
const DOCUMENT_LIMITS: Figures = {
  "decisions in docs/adr": 35,
  "lines of ARCHITECTURE.md": 180,
  "lines of CONTRIBUTING.md": 80,
  "lines about the newest version in CHANGELOG.md": 60,
  "words in docs, decisions aside": 36_500,
};

/** Figures of documents, in the order of their limits; `files` has their texts by path. The archive of decisions does not count. */
export function documentFigures(files: ReadonlyMap<string, string>): Figures {
  const texts = [...files].filter(([path]) => !path.startsWith("docs/adr/archive/"));
  const within = (folder: string) => texts.filter(([path]) => path.startsWith(folder));
  const linesIn = (text = "") => text.trimEnd().split("\n").length;
  const [, newest] = files.get("CHANGELOG.md")?.split(/^(?=## )/m) ?? [];
  const words = within("docs/").filter(([path]) => !path.startsWith("docs/adr/"));
  const figures = [
    within("docs/adr/").length,
    linesIn(files.get("ARCHITECTURE.md")),
    linesIn(files.get("CONTRIBUTING.md")),
    linesIn(newest),
    // A word has a letter or a digit: lines of tables do not count.
    words.reduce((sum, [, text]) => sum + (text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0), 0),
  ];
  return Object.fromEntries(Object.keys(DOCUMENT_LIMITS).map((name, at) => [name, figures[at] ?? 0]));
}

/** Figures of sources; `files` has their texts by paths that start with the name of a package. */
export function figuresOf(files: ReadonlyMap<string, string>): Figures {
  const packages = PACKAGES.map((name) => ({ name, sources: sourcesOf(name, files) }));
  const sum = (count: (sources: Sources) => number) => packages.reduce((total, each) => total + count(each.sources), 0);
  return {
    ...Object.fromEntries(packages.map(({ name, sources }) => [`source lines of ${name}`, linesOf(sources)])),
    "sources that exactly one other imports": sum(importedOnce),
    [`functions over ${LONG_LINES} lines, tables aside`]: sum((sources) => longFunctions(sources).length),
    ...Object.fromEntries(
      CYCLE_DEPTHS.map((depth) => [
        `folders in import cycles, ${depth} deep`,
        sum((sources) => foldersInCycles(sources, depth).length),
      ]),
    ),
  };
}

/** The message about each figure that differs from the committed one; only a rise is a fault. */
export function compareFigures(committed: Figures, today: Figures): { faults: string[]; notes: string[] } {
  const changed = Object.entries(today).filter(([name, value]) => value !== committed[name]);
  const rose = changed.filter(([name, value]) => value > (committed[name] ?? -1));
  const fell = changed.filter((entry) => !rose.includes(entry));
  const describe = ([name, value]: [string, number]) => `${name}: ${committed[name] ?? "not recorded"} → ${value}`;
  return { faults: rose.map(describe), notes: fell.map(describe) };
}

/** Folders that reach themselves through imports of values, by way of other folders. */
function foldersInCycles(sources: Sources, depth: number): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { from, to, isTypeOnly } of importsWithin(sources)) {
    const [start, end] = [folderOf(from, depth), folderOf(to, depth)];
    if (!isTypeOnly && start !== end) edges.set(start, (edges.get(start) ?? new Set()).add(end));
  }
  return [...edges.keys()].filter((start) => {
    const seen = new Set<string>();
    const pending = [...(edges.get(start) ?? [])];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      pending.push(...(edges.get(folder) ?? []));
    }
    return seen.has(start);
  });
}

/** Modules that "The path of one run" names, but that a run enters before or after its jobs. */
const AROUND_A_JOB = new Set(["runs/begin/start-run.ts", "runs/drive/end-run.ts"]);
const MAX_FILES = 12;

/** The problems of "The path of one run" in ARCHITECTURE.md; `entered`: the modules that a real job enters. */
export function routeFaults(text: string, entered: readonly string[]): string[] {
  const [, after = ""] = text.split("## The path of one run");
  const [way = ""] = after.split("\n## ");
  const named = [...new Set([...way.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = ""]) => path))];
  const ofJobs = named.filter((path) => /^(?:runs|jobs)\//.test(path) && !AROUND_A_JOB.has(path));
  const stages = entered.filter((path) => /^jobs\/[^/]*-job\.ts$/.test(path));
  return [
    ...(named.length <= MAX_FILES ? [] : [`it names ${named.length} files`]),
    ...ofJobs.filter((path) => !entered.includes(path)).map((path) => `no job enters ${path}`),
    ...stages.filter((path) => !named.includes(path)).map((path) => `it lacks ${path}`),
  ];
}

/** Sources that exactly one other source imports. */
function importedOnce(sources: Sources): number {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of importsWithin(sources)) importers.set(to, (importers.get(to) ?? new Set()).add(from));
  return [...importers.values()].filter(({ size }) => size === 1).length;
}

function longFunctions(sources: Sources): { readonly path: string; readonly name: string; readonly lines: number }[] {
  return [...sources]
    .filter(([path, text]) => !path.includes("testing/") && text.split("\n").length > LONG_LINES)
    .flatMap(([path, text]) => functionsOf(path, text))
    .filter(({ isTable, lines }) => !isTable && lines > LONG_LINES);
}

function linesOf(sources: Sources): number {
  return [...sources.values()].reduce((sum, text) => sum + text.split("\n").length - 1, 0);
}

function filesIn(root: string): Map<string, string> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(node_modules|dist|e2e)\//.test(path));
  return new Map(paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
}

function documentsIn(root: string): Map<string, string> {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`);
  const paths = [...inDocs, "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter((path) =>
    path.endsWith(".md"),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

async function main(): Promise<void> {
  const packages = fileURLToPath(new URL("../", import.meta.url));
  const { modules, steady } = await jobPath(join(packages, ".."));
  const today: Figures = {
    "path of a job, outside the executor: modules": steady.modules.length,
    "path of a job, outside the executor: calls between modules": steady.calls.length,
    "path of a job, outside the executor: modules where it waits": steady.waiting.length,
    ...figuresOf(filesIn(packages)),
  };
  if (process.argv.includes("--record")) return writeFileSync(COMMITTED, `${JSON.stringify(today, null, 2)}\n`);
  // This program wrote the file.
  const committed = JSON.parse(readFileSync(COMMITTED, "utf8")) as Figures;
  for (const [name, value] of Object.entries(today)) console.log(`${name}: ${value}`);
  console.log(`path of a job with this machine's executor: ${modules.length} modules`);
  const documents = documentFigures(documentsIn(join(packages, "..")));
  for (const [name, value] of Object.entries(documents)) console.log(`${name}: ${value}`);
  const wrong = routeFaults(readFileSync(join(packages, "../ARCHITECTURE.md"), "utf8"), modules);
  if (wrong.length > 0) {
    console.error(`\nThe path of one run in ARCHITECTURE.md:\n  ${wrong.join("\n  ")}`);
    process.exitCode = 1;
  }
  const tooLong = compareFigures(DOCUMENT_LIMITS, documents).faults;
  if (tooLong.length > 0) {
    console.error(`\nDocuments over their limits:\n  ${tooLong.join("\n  ")}`);
    process.exitCode = 1;
  }
  const { faults, notes } = compareFigures(committed, today);
  if (notes.length > 0) console.log(`\nLower than recorded (record them: ${RECORD}):\n  ${notes.join("\n  ")}`);
  if (faults.length === 0) return;
  console.error(`\nHigher than recorded:\n  ${faults.join("\n  ")}`);
  console.error(`Lower them. If one must rise, run ${RECORD}, and give the reason in a line of the commit's message.`);
  process.exitCode = 1;
}

if (import.meta.main) await main();
