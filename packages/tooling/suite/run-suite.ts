// npm test [-- TIER… WORD…]: the tiers pure, service, machine and pages, or those that are named; `full` contains all slow tests.
// WORDs select the test files whose path contains one of them. The end of the output lists what was skipped, and why.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureGenerator } from "../../web/site/ensure-generator.mjs";
import { ensureBuilt, startEnvironment } from "../build.mjs";
import { ensureClientTools } from "../clients/ensure-client-tools.mjs";
import { ROOT } from "../install.mjs";
import { ensureBrowser } from "./browser.mjs";
import { pureTests } from "./pure-tests.ts";
import { ensureDebianPackages, type PROGRAMS } from "./debian.mjs";
import { dependsOnRights, ordinaryAccount, skippedByAll, type Account } from "./ordinary-account.ts";
import type { TestResult } from "./report-tests.ts";
import { EVERYDAY, isTier, testFiles, type Tier } from "./tiers.ts";

/** A test that takes longer counts as hanging. */
const LIMIT_MS = { everyday: 120_000, full: 900_000 };
const REPORTER = join(import.meta.dirname, "report-tests.ts");
const ONE_PROCESS = join(import.meta.dirname, "in-one-process.ts");
/** A test that fails may leave a server behind, which would keep its process from ending. */
const NODE_TESTS = ["--disable-proto=delete", "--test", "--test-force-exit", `--test-reporter=${REPORTER}`];

interface Part {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Account, folder and environment, if they differ from those of this process. */
  readonly options?: Account | undefined;
}

const words = process.argv.slice(2);
const tiers = words.some(isTier) ? words.filter(isTier) : EVERYDAY;
const selection = words.filter((word) => !isTier(word));
/** Everything that tests leave in the folder for temporary files disappears with it. */
const scratch = mkdtempSync(join(tmpdir(), "weft-suite-"));
// Tests that act as another account must be able to enter it.
chmodSync(scratch, 0o711);
const results: TestResult[] = [];
/** Test files that ran as root and as an ordinary account. */
const twice = new Set<string>();

try {
  // Programs are installed while tests run that do not need them.
  const programs = ensureDebianPackages(...programsOf(tiers));
  for (const tier of tiers) results.push(...(await runTier(tier, programs)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
summarize();

function programsOf(selected: readonly Tier[]): (keyof typeof PROGRAMS)[] {
  const isFull = selected.includes("full");
  return [
    ...(isFull || selected.includes("machine") ? (["bubblewrap", "podman", "small"] as const) : []),
    ...(isFull || selected.includes("pages") ? (["browser"] as const) : []),
    ...(isFull ? (["slurm", "wholeBrowser", "compilers"] as const) : []),
  ];
}

async function runTier(tier: Tier, programs: Promise<void>): Promise<TestResult[]> {
  if (tier === "pure") return runPure();
  await programs;
  ensureBuilt();
  switch (tier) {
    case "service":
      return runTogether(tier, testFiles(tier, selection));
    case "machine":
      return [...(await runTogether(tier, testFiles(tier, selection))), ...(await runAsOrdinaryAccount())];
    case "pages":
      return runPages();
    case "full":
      ensureClientTools();
      ensureGenerator();
      return [...(await runAlone(testFiles(tier, selection))), await runJourneys("full")];
  }
}

/** The files share two processes, because loading the sources takes most of their time. */
function runPure(): Promise<TestResult[]> {
  const files = testFiles("pure", selection);
  return Promise.all(
    ["1/2", "2/2"].map((shard) =>
      runPart({ name: `pure ${shard}`, args: [...pureTests(REPORTER), `--test-shard=${shard}`, ...files] }),
    ),
  );
}

/** Two processes as well, but a file starts when the previous one has closed its servers and threads. */
function runTogether(name: string, files: readonly string[], options?: Account): Promise<TestResult[]> {
  const shards = [0, 1].map((shard) => files.filter((_, index) => index % 2 === shard));
  const args = [...NODE_TESTS, "--test-isolation=none", `--test-timeout=${LIMIT_MS.everyday}`, ONE_PROCESS];
  return Promise.all(
    shards
      .filter((own) => own.length > 0)
      .map((own, shard) =>
        runPart({ name: `${name} ${shard + 1}/2`, args, env: { WEFT_TEST_FILES: own.join("\n") }, options }),
      ),
  );
}

/** Runs one file at a time, each in a process of its own. */
async function runAlone(files: readonly string[]): Promise<TestResult[]> {
  // Without files, Node would search for test files itself.
  if (files.length === 0) return [];
  const args = [...NODE_TESTS, "--test-concurrency=1", `--test-timeout=${LIMIT_MS.full}`, ...files];
  return [await runPart({ name: "full", args })];
}

/** Rights differ between accounts: if root started the suite, tests that depend on rights run again as an ordinary account. */
async function runAsOrdinaryAccount(): Promise<TestResult[]> {
  if (process.getuid?.() !== 0) return [];
  const files = [...testFiles("service", selection), ...testFiles("machine", selection)].filter(dependsOnRights);
  if (files.length === 0) return [];
  const asRoot = new Set(tiers.flatMap((tier) => testFiles(tier, selection)));
  for (const file of files) if (asRoot.has(file)) twice.add(file);
  return runTogether("as an ordinary account", files, ordinaryAccount(scratch));
}

async function runPages(): Promise<TestResult[]> {
  return [await runComponents(), await runJourneys("pages")];
}

async function runComponents(): Promise<TestResult> {
  const missing = ensureBrowser();
  if (missing !== undefined) return { passed: 0, failed: 0, skipped: [{ name: "components", reason: missing }] };
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "packages/web/vitest.config.ts", ...selection];
  return runPart({ name: "components", args });
}

async function runJourneys(project: "pages" | "full"): Promise<TestResult> {
  const missing = ensureBrowser();
  if (missing !== undefined)
    return { passed: 0, failed: 0, skipped: [{ name: `journeys (${project})`, reason: missing }] };
  const args = ["node_modules/playwright/cli.js", "test", `--project=${project}`, "--pass-with-no-tests", ...selection];
  return runPart({ name: `journeys (${project})`, args });
}

/** Runs a part, which prints its failures and leaves its result in a file. */
async function runPart({ name, args, env: more, options }: Part): Promise<TestResult> {
  const path = join(options?.env["TMPDIR"] ?? scratch, `${name.replaceAll(/\W/gu, "-")}.json`);
  console.log(`weft: ${name}`);
  const startMs = performance.now();
  const env = {
    ...startEnvironment(),
    // Hundreds of processes load the same sources; stripped and compiled code loads in half the time.
    NODE_COMPILE_CACHE: join(options?.env["TMPDIR"] ?? scratch, "compiled"),
    TMPDIR: scratch,
    ...options?.env,
    ...more,
    WEFT_TEST_RESULT: path,
  };
  // The account has a copy of a checkout that it may not read.
  const [node = "", ...own] = [process.execPath, ...args].map((arg) =>
    arg.replace(ROOT, join(options?.cwd ?? ROOT, "/")),
  );
  const child = spawn(node, own, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"], ...options, env });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  const result = resultIn(path) ?? { passed: 0, failed: 1, skipped: [] };
  // A process that ends badly after its last test has failed, too.
  const failed = code === 0 ? result.failed : Math.max(result.failed, 1);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(
    `weft: ${name}: ${result.passed} passed, ${failed} failed, ${result.skipped.length} skipped in ${seconds} s`,
  );
  return { ...result, failed };
}

function resultIn(path: string): TestResult | undefined {
  try {
    // The reporters in this folder write the file.
    return JSON.parse(readFileSync(path, "utf8")) as TestResult;
  } catch {
    return undefined;
  }
}

function summarize(): void {
  const skipped = skippedByAll(results, twice);
  if (skipped.length > 0) console.log("\nSkipped:");
  for (const [reason, tests] of Map.groupBy(skipped, (test) => test.reason)) {
    console.log(`  ${reason}`);
    for (const { name } of tests) console.log(`    ${name}`);
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
