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
  const env = { ...process.env, WEFT_TEST_RESULT: result };
  delete env["NODE_TEST_CONTEXT"]; // Otherwise Node treats the run as a part of this one.
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
