// Preloaded by npm run coverage: Node writes no coverage for a process that runs test files itself (--test-isolation=none).
import fs from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

// The guard of the pure tier replaces the functions that write.
const { writeFileSync } = fs;
const folder = process.env.NODE_V8_COVERAGE;
if (folder !== undefined && isMainThread && process.execArgv.includes("--test-isolation=none")) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  process.on("exit", () =>
    session.post("Profiler.takePreciseCoverage", (error, coverage) => {
      if (error !== null) throw error;
      writeFileSync(join(folder, `coverage-${process.pid}-tests.json`), JSON.stringify(coverage));
    }),
  );
}
