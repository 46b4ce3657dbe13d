// Runs the integration tests, each file in a process of its own. The slowest start first, or they would run alone at the end.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { run } from "node:test";
import { spec as Spec } from "node:test/reporters";
import { ROOT } from "./install.mjs";
import slowestFiles from "./slowest-files.mjs";

/** See the list of slowest files that this prints. */
const SLOWEST = ["faults", "documentation", "reliability", "event-loop", "permissions", "release"];

const place = (file) => {
  const found = SLOWEST.indexOf(basename(file, ".test.ts"));
  return found < 0 ? SLOWEST.length : found;
};
const files = globSync("packages/*/test/**/*.test.ts", { cwd: ROOT })
  .toSorted()
  .toSorted((a, b) => place(a) - place(b));
const options = {
  files,
  cwd: ROOT,
  execArgv: ["--disable-proto=delete"],
  // Most of them wait for a while, so one more runs than there are cores.
  concurrency: availableParallelism() + 1,
};
const tests = run(options);
tests.on("test:fail", () => {
  process.exitCode = 1;
});
tests.compose(new Spec()).pipe(process.stdout);
tests.compose(slowestFiles).pipe(process.stdout);
