import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readHistory } from "../bench/history.mjs";
import { RUNNER_TITLES } from "../bench/jobs.mjs";
import { readOptions } from "../bench/options.mjs";
import { plotHistory } from "../bench/plot-history.mjs";

const docs = new URL("../../../docs/", import.meta.url);

test("the history names all runners, and its plot shows the rows of its table", () => {
  const history = readHistory(readFileSync(new URL("explanation/performance.md", docs), "utf8"));
  assert.deepEqual(history.titles, RUNNER_TITLES);
  assert.equal(readFileSync(new URL("images/performance.svg", docs), "utf8"), plotHistory(history));
});

test("a row of the history yields the ratios of the runners that took part", () => {
  const head = "| Date | Commit | Jobs × turns | Load | ninja -j2 | server |\n|---|---|---|---|---|---|";
  const row = "| 2026-01-02 | abc | 10 × 1 | 0.5 | 1.00 (1.20 ms); CPU 1.00 (1.90 ms); idle 20 % | – |";
  const { entries } = readHistory(`# Page\n\n| a | table |\n\n## History\n\n${head}\n${row}\n`);
  assert.deepEqual(entries, [{ date: "2026-01-02", commit: "abc", ratios: { "ninja -j2": 1 } }]);
});

test("options must be whole numbers, and unknown ones are refused", () => {
  assert.deepEqual(readOptions(["jobs", "--rounds", "3", "--only", "ninja,weft"]), {
    parts: ["jobs"],
    rounds: 3,
    jobs: 1000,
    percent: 100,
    only: ["ninja", "weft"],
    record: false,
  });
  assert.throws(() => readOptions(["--rounds", "0"]), /--rounds takes a whole number of at least 1, not "0"/);
  assert.throws(() => readOptions(["--fast"]), /--fast/);
});
