import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { updateToolTest } from "@weft/cwl/tool-tests/update-tool-test.ts";
import type { CommandIo } from "../io/command-io.ts";
import { shownPath } from "../output/diagnostic-text.ts";
import { failureLines } from "./test-reports.ts";
import type { TestResult } from "./run-test.ts";

export interface Updating {
  /** Writes every change without asking. */
  readonly isAgreed: boolean;
  readonly io: Pick<CommandIo, "stdin" | "stdout" | "cwd">;
}

/** Offers to write the actual values into failed tests. Returns the tests that pass with the new values. */
export async function updateTests(
  results: readonly TestResult[],
  updating: Updating,
): Promise<ReadonlySet<TestResult>> {
  const updated = new Set<TestResult>();
  for (const result of results) if (await updateOne(result, updating)) updated.add(result);
  return updated;
}

async function updateOne(result: TestResult, updating: Updating): Promise<boolean> {
  const { source } = result.test;
  if (source.kind !== "file" || result.unmet.length === 0) return false;
  const { cwd } = updating.io;
  const write = (line: string) => updating.io.stdout.write(`${line}\n`);
  const uri = pathToUri(source.path);
  const before = await readFile(source.path, "utf8");
  const { text, left } = updateToolTest(before, uri, result.unmet);
  for (const line of failureLines({ ...result, unmet: left }, cwd)) write(`  change by hand: ${line}`);
  if (text === before) return false;
  write(`--- ${shownPath(uri, cwd)}`);
  for (const line of diffLines(before, text)) write(line);
  if (!updating.isAgreed && !(await isConfirmed(shownPath(uri, cwd), updating))) return false;
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

async function isConfirmed(name: string, { io: { stdin, stdout } }: Updating): Promise<boolean> {
  if (stdin.isTTY !== true) {
    stdout.write("not written: nobody can answer here; --yes writes without a question\n");
    return false;
  }
  const lines = createInterface({ input: stdin, output: stdout });
  const answer = await lines.question(`Write these values into ${name}? [y/N] `);
  lines.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
