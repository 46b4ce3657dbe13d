import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { TestResult } from "./report-tests.ts";

const TESTS = `import { describe, it } from "node:test";
describe("outer", { skip: "needs a" }, () => it("one", () => {}));
describe("two", () => {
  it("passes", () => {});
  it("is skipped", { skip: "needs b" }, () => {});
  describe("inner", { skip: "needs c" }, () => it("three", () => {}));
});
`;

it("lists skipped tests and skipped suites with their reasons", () => {
  const folder = temporaryFolder();
  const [file, result] = [join(folder, "planted.test.mjs"), join(folder, "result.json")];
  writeFileSync(file, TESTS);
  const args = ["--test", `--test-reporter=${join(import.meta.dirname, "report-tests.ts")}`, file];
  // With the context of this run, Node would treat the other one as a part of it.
  const env = { ...process.env, WEFT_TEST_RESULT: result, NODE_TEST_CONTEXT: undefined };
  spawnSync(process.execPath, args, { cwd: folder, env });
  const { passed, skipped } = JSON.parse(readFileSync(result, "utf8")) as TestResult; // the reporter writes it
  assert.equal(passed, 1);
  assert.deepEqual(
    skipped.map(({ name, reason }) => [name.replace(/^.*: /, ""), reason]),
    [
      ["outer", "needs a"],
      ["is skipped", "needs b"],
      ["inner", "needs c"],
    ],
  );
});
