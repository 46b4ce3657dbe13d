import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { ROOT } from "../install.mjs";

export const SUITE_FOLDER = join(ROOT, "../shared/conformance");

/**
 * Runs the suite's driver: `flags` go to `cwl-runner`, `args` to the driver. `config`: the path of a weft.config.json for
 * all cases; `report`: the file for the result of each case; `jobs`: parallel cases. Returns its exit code
 * and, if it finished, the results of the cases; cases that could not start have none.
 */
export function runSuite({ scratch, flags, args, config, env = {}, report, jobs, isSilent = false }) {
  const path = report === undefined ? join(scratch, "report.json") : resolve(ROOT, report);
  // If the driver ended before writing a report, one from an earlier run would be mistaken for its own.
  rmSync(path, { force: true });
  const own = ["--suite", join(SUITE_FOLDER, "v1.2/tests.json"), "--runner", runnerOf(flags, config)];
  const { status } = spawnSync(
    "python3",
    [
      join(SUITE_FOLDER, "conformance.py"),
      ...own,
      `--jobs=${jobs ?? availableParallelism()}`,
      `--json=${path}`,
      ...args,
    ],
    { cwd: ROOT, stdio: ["ignore", isSilent ? "ignore" : "inherit", "inherit"], env: { ...process.env, ...env } },
  );
  const hasEnded = (status === 0 || status === 1) && existsSync(path);
  return { status: status ?? 1, tests: hasEnded ? JSON.parse(readFileSync(path, "utf8")).tests : undefined };
}

/** Each case has its own working folder, where Weft looks for its configuration. */
function runnerOf(flags, config) {
  const runner = [join(ROOT, "packages/cli/bin/cwl-runner.cjs"), ...flags];
  const words =
    config === undefined ? runner : ["sh", "-c", 'cp "$0" weft.config.json && exec "$@"', config, ...runner];
  return words.map(quoted).join(" ");
}

/** Quotes a path as one word for the driver, which splits the runner as a shell does. */
function quoted(path) {
  return `'${path.replaceAll("'", `'"'"'`)}'`;
}
