// npm run check [-- --without-tests]: types, lint, format, prose, the pure tests, and figures about the structure. Runs as
// many steps at a time as there are cores, and prints the output of a step when it finishes.
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pinnedNode } from "./build.mjs";
import { ensureInstalled, ROOT } from "./install.mjs";
import { succeeds } from "./step.mjs";

ensureInstalled();
const node = pinnedNode();
const cache = join(ROOT, "node_modules/.cache/weft");
mkdirSync(cache, { recursive: true });
const bin = (name) => join(ROOT, "node_modules/.bin", name);
/** The compiler remembers its results: a file that has not changed, and does not import one that has, is not checked again. */
const typesOf = (name, project) => [
  `types of ${name}`,
  bin("tsc"),
  ["-p", project, "--incremental", "--tsBuildInfoFile", join(cache, `${name}.tsbuildinfo`)],
];

/** Steps, longest first. */
const steps = [
  ...(process.argv.includes("--without-tests")
    ? []
    : [["pure tests", node, ["packages/tooling/suite/run-suite.ts", "pure"]]]),
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings", "packages"]],
  typesOf("packages for Node", "tsconfig.json"),
  typesOf("web", "packages/web"),
  typesOf("tooling", "packages/tooling"),
  ["prose", node, ["packages/tooling/prose/lint-prose.mjs"]],
  ["figures about the structure", node, ["packages/tooling/structure.ts"]],
  ["format", bin("oxfmt"), ["--check", "packages"]],
];

const failed = [];
const waiting = [...steps];
const worker = async () => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [name, command, args] = step;
    if (!(await succeeds({ name: `check: ${name}`, command, args }))) failed.push(name);
  }
};
await Promise.all(Array.from({ length: availableParallelism() }, worker));
for (const name of failed) console.error(`check: ${name} failed`);
console.log(`${steps.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
