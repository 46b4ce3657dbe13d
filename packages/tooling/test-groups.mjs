// Which tests run how, for npm test and npm run check: arguments of Node.
import { availableParallelism } from "node:os";

const FLAGS = ["--disable-proto=delete", "--test"];

/** Tests of code without effects share a process: to load it again for each file would take most of their time. */
export function pureTests(...reporters) {
  return [...FLAGS, "--test-isolation=none", ...reporters, "packages/{cwl,shared,web}/src/**/*.test.ts"];
}

/**
 * The other unit tests, and with `more` others, have a process for each file. Most of them wait for a while, so one more
 * runs than there are cores; by default Node runs one less, which is one at a time on two cores.
 */
export function otherTests(reporters, more = []) {
  const flags = [...FLAGS, `--test-concurrency=${availableParallelism() + 1}`, ...reporters];
  return [...flags, "packages/!(cwl|shared|web)/src/**/*.test.ts", "packages/tooling/*.test.ts", ...more];
}
