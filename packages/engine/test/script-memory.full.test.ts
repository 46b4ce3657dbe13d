import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { HUNGRY, type HungryReport } from "../src/script/testing/hungry-scripts.ts";

const MAX_MIB = 600;
const PROGRAM = join(import.meta.dirname, "../src/script/testing/hungry-scripts.ts");

async function evaluate(names: readonly string[]): Promise<HungryReport> {
  const args = ["--disable-proto=delete", PROGRAM, ...names];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
  return JSON.parse(stdout) as HungryReport; // what the program prints
}

const TOO_MUCH = /needs more than 64 MiB of memory/;
const ENDS: Readonly<Record<string, RegExp>> = {
  "an error that is caught": /^value$/,
  "a large library": /^value$/,
  "a medium input": /^value$/,
  "a large result": /^the result of the expression `.*` is larger than 8 MiB$/,
  "a large error": /failed: x+…$/,
};

describe("scripts that exceed their memory limit", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["every kind at once", HUNGRY],
    ["many of one kind", Array.from({ length: 12 }, () => "typed arrays")],
    [
      "many with large inputs",
      Array.from({ length: 24 }, (_, index) => (index % 2 ? "a medium input" : "a large input")),
    ],
  ];
  for (const [what, names] of cases)
    it(`are bounded: ${what}`, async () => {
      const { ends, maxRssMib } = await evaluate(names);
      for (const [index, name] of names.entries()) assert.match(ends[index] ?? "", ENDS[name] ?? TOO_MUCH, name);
      assert.ok(maxRssMib <= MAX_MIB, `${maxRssMib} MiB`);
    });
});
