// npm run conformance [-- --only id,id]: the public CWL conformance suite, where it lies beside the project, against
// `weft run`. Further arguments go to the suite's own driver.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, ROOT } from "./install.mjs";

/** Cases that cannot pass here, each with the reason; they count as failed all the same. */
const CANNOT_PASS = {
  dockeroutputdir: "needs a container and its image: its command writes to a folder that only exists inside one",
  cwloutput_nolimit: "cannot pass with this driver: the expected output is an $import that it does not follow",
};

const folder = join(ROOT, "../shared/conformance");
if (!existsSync(folder)) skip("the conformance suite is not here (../shared/conformance)");
if (spawnSync("python3", ["--version"]).status !== 0) skip("the driver of the conformance suite needs python3");
ensureInstalled();
const scratch = mkdtempSync(join(tmpdir(), "weft-conformance-"));
try {
  process.exitCode = runSuite(process.argv.slice(2));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function skip(reason) {
  console.log(`weft: ${reason}: nothing was run`);
  process.exit(0);
}

/** The exit code of the driver; 0 also when nothing failed but what cannot pass. */
function runSuite(args) {
  const report = reportPath(args);
  // The images of the suite are on few machines; WEFT_CONTAINER lets it try them.
  const container = process.env.WEFT_CONTAINER ?? "none";
  const runner = `${quoted(join(ROOT, "packages/cli/bin/weft.cjs"))} run --quiet --container=${quoted(container)}`;
  const own = [
    "--suite",
    join(folder, "v1.2/tests.json"),
    "--runner",
    runner,
    "--jobs",
    String(availableParallelism()),
  ];
  const driver = join(folder, "conformance.py");
  // One of an earlier run would be mistaken for this one's, where the driver ends before it writes its own.
  rmSync(report, { force: true });
  const { status } = spawnSync("python3", [driver, ...own, "--json", report, ...args], { cwd: ROOT, stdio: "inherit" });
  if (status !== 1 || !existsSync(report)) return status ?? 1;
  return explain(JSON.parse(readFileSync(report, "utf8")).tests) ? 0 : status;
}

/** Where the driver writes what came of each case: a later `--json` wins. */
function reportPath(args) {
  const options = { json: { type: "string" } };
  const { json } = parseArgs({ args, options, strict: false, allowPositionals: true }).values;
  return typeof json === "string" ? resolve(ROOT, json) : join(scratch, "report.json");
}

/** Names the failed cases that cannot pass, and answers whether there are no others. */
function explain(tests) {
  const failed = tests.filter(({ verdict }) => verdict !== "pass").map(({ id }) => id);
  const expected = failed.filter((id) => Object.hasOwn(CANNOT_PASS, id));
  const others = failed.length - expected.length;
  if (expected.length > 0) console.log(`\nweft: ${expected.length} of the failed cannot pass here, ${others} should:`);
  for (const id of expected) console.log(`  ${id}: ${CANNOT_PASS[id]}`);
  return others === 0;
}

/** One word for the driver, which splits the runner as a shell does. */
function quoted(path) {
  return `'${path.replaceAll("'", `'"'"'`)}'`;
}
