// npm run check: types, lint, format, architecture and unit tests, and figures about the structure.
import { readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode } from "./build.mjs";
import { attempt, ensureInstalled, ROOT } from "./install.mjs";

ensureInstalled();
const node = pinnedNode();
const packages = readdirSync(join(ROOT, "packages")).filter((name) =>
  existsSync(join(ROOT, "packages", name, "tsconfig.json")),
);
const bin = (name) => join(ROOT, "node_modules/.bin", name);
const steps = [
  ...packages.map((name) => [`types of ${name}`, bin("tsc"), ["-p", `packages/${name}`]]),
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings", "packages"]],
  ["format", bin("oxfmt"), ["--check", "packages"]],
  [
    "architecture and unit tests",
    node,
    [
      "--disable-proto=delete",
      "--test",
      "--test-reporter=dot",
      "packages/*/src/**/*.test.ts",
      "packages/tooling/*.test.ts",
    ],
  ],
  ["figures about the structure", node, ["packages/tooling/structure.ts"]],
];
const failed = steps.filter(([name, command, args]) => {
  console.log(`check: ${name}`);
  return !attempt(command, args);
});
for (const [name] of failed) console.error(`check: ${name} failed`);
console.log(`${steps.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
