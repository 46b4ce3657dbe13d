import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DEFAULT_LIMITS, LIMIT_NAMES, LIMITS, limitFlag } from "@weft/shared/limits.ts";
import { LIMIT } from "./flags.ts";
import { limitSettings } from "./limit-settings.ts";
import { settingsOf } from "../testing/settings-of.ts";

const limitsOf = (...args: string[]) => limitSettings(settingsOf([LIMIT], ...args));

test("limits have defaults, and --limit changes one", () => {
  assert.deepEqual(limitsOf(), DEFAULT_LIMITS);
  const changed = limitsOf("--limit", "jobs-per-scatter=5", "--limit", "value-items=9", "--limit", "value-items=10");
  assert.deepEqual(changed, { ...DEFAULT_LIMITS, jobsPerScatter: 5, valueItems: 10 });
});

test("only a limit that 0 turns off can be 0", () => {
  for (const name of LIMIT_NAMES) {
    const canBeOff = LIMITS[name].description.includes("0 turns this off");
    const change = () => limitsOf("--limit", `${limitFlag(name)}=0`);
    if (canBeOff) assert.equal(change()[name], 0);
    else assert.throws(change, /of at least 1, /);
  }
});

for (const wrong of [
  "jobs-per-scatter",
  "jobs-per-scatter=0",
  "disk-reserve-bytes=",
  "disk-reserve-bytes=-1",
  "jobs-per-scatter=-1",
  "jobs-per-scatter=1e9",
  "nothing=1",
  "toString=1",
  "value-depth=10",
  `value-items=${"9".repeat(20)}`,
]) {
  test(`--limit ${wrong} is refused with the names`, () =>
    assert.throws(() => limitsOf("--limit", wrong), /--limit takes NAME=N .*jobs-per-scatter, /));
}

test("docs/reference/limits.md lists every limit with its default", () => {
  const page = readFileSync(new URL("../../../../docs/reference/limits.md", import.meta.url), "utf8");
  const rows = LIMIT_NAMES.map((name) => {
    const { default: value, unit, description } = LIMITS[name];
    return `| \`${limitFlag(name)}\` | ${value.toLocaleString("en")} ${unit} | ${description} |`;
  });
  assert.deepEqual(
    page.split("\n").filter((line) => line.startsWith("| `")),
    rows,
  );
});
