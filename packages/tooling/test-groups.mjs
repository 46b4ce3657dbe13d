// Which tests run how, for npm test and npm run check: arguments of Node.
import { availableParallelism } from "node:os";

const FLAGS = ["--disable-proto=delete", "--test"];

/** Unit tests share a process: to load the engine again for each file would take most of their time. */
export function unitTests(...reporters) {
  return [...FLAGS, "--test-isolation=none", ...reporters, "packages/*/src/**/*.test.ts", "packages/tooling/*.test.ts"];
}

/** Integration tests have a process for each file. Many of them wait most of the time, so as many run as there are cores. */
export function integrationTests(...reporters) {
  return [...FLAGS, `--test-concurrency=${availableParallelism()}`, ...reporters, "packages/*/test/**/*.test.ts"];
}
