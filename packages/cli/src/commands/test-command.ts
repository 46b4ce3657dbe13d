import { existsSync } from "node:fs";
import { writeFile, readFile } from "node:fs/promises";
import { createOpenAccess } from "@weft/engine/access/disk-access.ts";
import type { Log } from "@weft/engine/log.ts";
import { QuickJsEngine } from "@weft/engine/script/quickjs-engine.ts";
import { openOutputFiles } from "@weft/engine/tests/open-output-files.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { tmpdir } from "node:os";
import { abortOnSignals, type CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit.ts";
import { createLog } from "../output/log-line.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import type { Settings } from "../settings/read-settings.ts";
import { SHIPPED } from "../settings/shipped-files.ts";
import { findTests, type FoundTest } from "../tool-tests/find-tests.ts";
import { runTest, type TestResult } from "../tool-tests/run-test.ts";
import { failureLines, hasPassed, junitText, tapText } from "../tool-tests/test-reports.ts";
import { createInterface } from "node:readline/promises";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { updateToolTest } from "@weft/language/tool-tests/update-tool-test.ts";
import { shownPath } from "../output/diagnostic-text.ts";

/** Runs the tests of tools and networks. Exits with 0 if all passed. */
export async function testCommand(settings: Settings): Promise<number> {
  if (settings.text("from-run") !== undefined)
    return (await import("../tool-tests/write-test-of-run.ts")).writeTestOfRun(settings);
  const [first, ...others] = settings.positionals;
  const isPath = first !== undefined && existsSync(settings.resolve(first));
  const target = isPath ? first : (settings.text("catalog") ?? SHIPPED.catalog);
  const ids = isPath || first === undefined ? others : [first, ...others];
  const tests = await findTests(target, ids, settings.io.cwd);
  const results = await runAll(tests, settings);
  await writeReports(results, settings);
  return report(results, settings, tests.length);
}

/** Returns results in the order of the tests, whichever ends first. */
async function runAll(tests: readonly FoundTest[], settings: Settings): Promise<readonly TestResult[]> {
  const { io } = settings;
  const signal = abortOnSignals(io);
  const isQuiet = settings.isOn("quiet");
  const width = settings.count("parallel", 1) ?? 1;
  const write = createLog(io.stderr);
  const log: Log = (level, ...message) => level === "error" && write(level, ...message);
  const execution = await executionSettings(settings, "none");
  const script = new QuickJsEngine();
  const { reach } = createOpenAccess({ sync: false, near: tmpdir() }).all;
  const files = openOutputFiles({ reach, script });
  const run = { settings: { ...execution, log }, files, signal, cwd: io.cwd };
  const results: TestResult[] = [];
  const waiting = tests.entries();
  const worker = async () => {
    for (const [index, test] of waiting) {
      if (signal.aborted) return;
      const result = await runTest(test, run);
      if (signal.aborted) return;
      results[index] = result;
      if (!isQuiet || !hasPassed(result)) printResult(result, io);
    }
  };
  await Promise.all(Array.from({ length: width }, worker)).finally(() => script.close());
  return results.filter((result) => result !== undefined);
}

function printResult(result: TestResult, { stdout, cwd }: CommandIo): void {
  const { test, durationMs } = result;
  const verdict = hasPassed(result) ? "ok    " : "FAILED";
  stdout.write(`${verdict} ${test.subject} ${test.name} (${formatDuration(durationMs)})\n`);
  for (const line of failureLines(result, cwd)) stdout.write(`  ${line}\n`);
}

async function writeReports(results: readonly TestResult[], settings: Settings): Promise<void> {
  const [tap, junit] = [settings.path("tap"), settings.path("junit")];
  if (tap !== undefined) await writeFile(tap, tapText(results, settings.io.cwd));
  if (junit !== undefined) await writeFile(junit, junitText(results, settings.io.cwd));
}

async function report(results: readonly TestResult[], settings: Settings, count: number): Promise<number> {
  const failed = results.filter((result) => !hasPassed(result));
  let updated = 0;
  if (settings.isOn("update")) for (const result of failed) if (await updateOne(result, settings)) updated++;
  const noted = updated === 0 ? "" : `, ${updated} updated`;
  settings.io.stdout.write(`${results.length - failed.length} of ${count} tests passed${noted}\n`);
  if (results.length < count) return EXIT.interrupted;
  return failed.length === updated ? EXIT.success : EXIT.failure;
}

/** Offers to write the actual values into a failed test. Returns whether it passes with the new values. */
async function updateOne({ test: { source }, unmet }: TestResult, settings: Settings): Promise<boolean> {
  if (source.kind !== "file" || unmet.length === 0) return false;
  const { stdout, cwd } = settings.io;
  const write = (line: string) => stdout.write(`${line}\n`);
  const uri = pathToUri(source.path);
  const before = await readFile(source.path, "utf8");
  const { text, left } = updateToolTest(before, uri, unmet);
  for (const line of failureLines({ unmet: left }, cwd)) write(`  change by hand: ${line}`);
  if (text === before) return false;
  write(`--- ${shownPath(uri, cwd)}`);
  for (const line of diffLines(before, text)) write(line);
  if (!settings.isOn("yes") && !(await isConfirmed(shownPath(uri, cwd), settings.io))) return false;
  await writeFile(source.path, text);
  return left.length === 0;
}

/** Only single values change, so lines keep their numbers. */
function diffLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return old.flatMap((line, index) =>
    line === now[index] ? [] : [`@@ line ${index + 1}`, `-${line}`, `+${now[index] ?? ""}`],
  );
}

async function isConfirmed(name: string, { stdin, stdout }: CommandIo): Promise<boolean> {
  if (stdin.isTTY !== true) {
    stdout.write("not written: cannot ask without a terminal; --yes writes without asking\n");
    return false;
  }
  const lines = createInterface({ input: stdin, output: stdout });
  const answer = await lines.question(`Write these values into ${name}? [y/N] `);
  lines.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
