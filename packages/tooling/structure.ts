// Prints figures about the structure of the sources; `npm run check` runs it. An argument names another packages folder.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { functionsOf } from "./long-functions.ts";
import { folderOf, importsWithin, layerViolations, LAYERS, sourcesOf } from "./layers.ts";
import type { Sources } from "./layers.ts";

const PACKAGES = ["shared", "cwl", "engine", "api", "cli", "web"];
const root = process.argv[2] ?? fileURLToPath(new URL("../", import.meta.url));

/** Folders that reach themselves by imports of values, by way of other folders. */
function foldersInCycles(sources: Sources): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { from, to, isTypeOnly } of importsWithin(sources)) {
    if (isTypeOnly || folderOf(from) === folderOf(to)) continue;
    edges.set(folderOf(from), (edges.get(folderOf(from)) ?? new Set()).add(folderOf(to)));
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

/** Sources that exactly one other source imports. */
function importedOnce(sources: Sources): number {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of importsWithin(sources)) importers.set(to, (importers.get(to) ?? new Set()).add(from));
  return [...importers.values()].filter(({ size }) => size === 1).length;
}

const paths = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !/\/(node_modules|dist|e2e)\//.test(path));
const files = new Map(paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
const packages = PACKAGES.map((name) => ({ name, sources: sourcesOf(name, files) }));
const lines = packages.flatMap(({ sources }) => [...sources.values()].map((text) => text.split("\n").length - 1));
const functions = packages
  .flatMap(({ name, sources }) => [...sources].flatMap(([path, text]) => functionsOf(`${name}/src/${path}`, text)))
  .filter(({ isTable }) => !isTable);
const total = lines.reduce((sum, count) => sum + count, 0);

for (const { name, sources } of packages) {
  const cyclic = foldersInCycles(sources);
  const upward = name in LAYERS ? `; imports against the layers: ${layerViolations(name, sources).length}` : "";
  console.log(`${name}: ${sources.size} sources; folders in import cycles: ${cyclic.length}${upward}`);
}
console.log(`sources: ${lines.length}; mean length: ${Math.round(total / lines.length)} lines`);
console.log(`sources that one other imports: ${packages.reduce((sum, { sources }) => sum + importedOnce(sources), 0)}`);
for (const limit of [40, 60])
  console.log(
    `functions over ${limit} lines that are not tables: ${functions.filter((found) => found.lines > limit).length}`,
  );
for (const { name, path, lines: length } of functions.filter((found) => found.lines > 40))
  console.log(`  ${length} lines: ${name || "(anonymous)"} in ${path}`);
