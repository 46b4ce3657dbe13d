// npm run conformance [-- --backend slurm|podman] [--only id,id]: runs the public CWL conformance suite, if it is next
// to the checkout, against `weft run`: on this machine only, or also through a separate Slurm, or with the images of
// the suite in podman. Then it compares both results case by case. Further arguments go to the suite's own driver.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "../install.mjs";
import { compareResults } from "./compare-results.mjs";
import { openPodman } from "./podman-surrounding.mjs";
import { runSuite, SUITE_FOLDER } from "./run-suite.mjs";
import { openSlurm } from "./slurm-surrounding.mjs";

/** Cases that cannot pass, each with the reason; they still count as failed. */
const CANNOT_PASS = {
  local: { dockeroutputdir: "its command writes to a folder that only exists in its container" },
  podman: {},
  slurm: { dockeroutputdir: "as locally: it needs its container" },
};
const CANNOT_PASS_ANYWHERE = {
  cwloutput_nolimit: "cannot pass with this driver: the expected output is an $import that it does not follow",
};
const ENVIRONMENTS = { slurm: openSlurm, podman: openPodman };

const { values, tokens } = parseArgs({
  options: { backend: { type: "string", default: "local" }, json: { type: "string" } },
  strict: false,
  tokens: true,
});
const driverArgs = argumentsWithout(["backend", "json"]);
process.exitCode = await main();

async function main() {
  const { backend } = values;
  if (backend !== "local" && !Object.hasOwn(ENVIRONMENTS, backend)) {
    console.error(`weft: --backend is local, ${Object.keys(ENVIRONMENTS).join(" or ")}, not ${backend}`);
    return 2;
  }
  if (!existsSync(SUITE_FOLDER)) return skip("the conformance suite is missing (../shared/conformance)");
  if (spawnSync("python3", ["--version"]).status !== 0) return skip("the driver of the suite needs python3");
  ensureInstalled();
  const scratch = mkdtempSync(join(tmpdir(), "weft-conf-"));
  try {
    return backend === "local" ? runLocal(scratch) : await runElsewhere(backend, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function runLocal(scratch) {
  const { status, tests } = runSuite({ scratch, report: values.json, args: driverArgs, flags: localFlags() });
  return tests === undefined ? status : explain(tests, "local");
}

/** Runs the suite here and then in another environment, which is the cause of all differences. */
async function runElsewhere(backend, scratch) {
  const opened = await ENVIRONMENTS[backend](scratch);
  if (opened.missing !== undefined) return skip(opened.missing);
  try {
    console.log("weft: first on this machine only, without containers");
    const here = runSuite({ scratch, args: driverArgs, flags: ["--quiet", "--container=none"], isSilent: true });
    if (here.tests === undefined) return here.status;
    console.log(`weft: now with ${backend}`);
    const there = runSuite({ scratch, report: values.json, args: driverArgs, ...opened });
    if (there.tests === undefined) return there.status;
    const { lines, worse, judged } = compareResults(here.tests, there.tests, backend);
    for (const line of ["", ...lines]) console.log(line);
    return Math.max(explain(judged, backend), worse > 0 ? 1 : 0);
  } finally {
    await opened.close();
  }
}

/** Few machines have the images of the suite; WEFT_CONTAINER makes the suite use them. */
function localFlags() {
  return ["--quiet", `--container=${process.env.WEFT_CONTAINER ?? "none"}`];
}

/** Names the failed cases that cannot pass; the exit code is 0 when there are no others. */
function explain(tests, backend) {
  const reasons = { ...CANNOT_PASS[backend], ...CANNOT_PASS_ANYWHERE };
  const failed = tests.filter(({ verdict }) => verdict !== "pass").map(({ id }) => id);
  const expected = failed.filter((id) => Object.hasOwn(reasons, id));
  const others = failed.length - expected.length;
  if (expected.length > 0)
    console.log(
      `\nweft: ${expected.length} of the failed cases cannot pass here, ${others} should pass. These cannot:`,
    );
  for (const id of expected) console.log(`  ${id}: ${reasons[id]}`);
  return others === 0 ? 0 : 1;
}

function skip(reason) {
  console.log(`weft: ${reason}: nothing was run`);
  return 0;
}

/** The given arguments without the options of this script. */
function argumentsWithout(names) {
  const own = new Set();
  for (const { kind, name, index, inlineValue } of tokens) {
    if (kind !== "option" || !names.includes(name)) continue;
    own.add(index);
    if (inlineValue === false) own.add(index + 1);
  }
  return process.argv.slice(2).filter((_, index) => !own.has(index));
}
