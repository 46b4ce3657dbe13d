import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunUsed } from "@weft/shared/records/comparison-record.ts";
import { hasMixedMemory, stepTimingRows, timingRows, type TimedRun } from "./timing-rows.ts";

const MEASURED = {
  ...{ attempts: 4, jobs_cached: 0, running_ms: 2000, cpu_ms: 1000, cpu_measured: 4 },
  ...{ max_rss_bytes: 1024 * 1024, memory_measured: 4, memory_sources: ["sampled" as const] },
};
const NOTHING_RAN = {
  ...{ attempts: 0, jobs_cached: 4, running_ms: 0, cpu_ms: null, cpu_measured: 0 },
  ...{ max_rss_bytes: null, memory_measured: 0, memory_sources: [] },
};

function timed(duration_ms: number | null, used?: Partial<RunUsed>): TimedRun {
  const whole = used && { duration_ms, ...MEASURED, steps: [], ...used };
  return { duration_ms, end_time: "2026-11-21T10:00:00.000Z", used: whole };
}

test("durations are listed side by side, those of other runs in percent of the first", () => {
  const slower = timed(3600, { cpu_ms: 1500, cpu_measured: 3, max_rss_bytes: 512 * 1024, running_ms: 2004 });
  const rows = timingRows([timed(3000, {}), slower, timed(3000, NOTHING_RAN)]);
  assert.deepEqual(
    rows.map(({ name, cells }) => [name, cells]),
    [
      ["Duration", ["3.0 s", "3.6 s (+20%)", "3.0 s"]],
      ["Job time, total", ["2.0 s", "2.0 s", "0 ms (−100%)"]],
      ["CPU time, total", ["1.0 s", "1.5 s (+50%), 3 of 4 measured", "not measured"]],
      ["Peak memory (largest job)", ["1.0 MiB", "512 KiB (−50%)", "not measured"]],
      ["Job attempts", ["4", "4", "0"]],
      ["Cached jobs", ["0", "0", "4"]],
    ],
  );
});

test("a step that has not ended or never started shows only that", () => {
  const open = { ...timed(800), end_time: null };
  const waiting = { ...timed(null), end_time: null };
  const [took, running] = timingRows([open, waiting, timed(null), timed(900)]);
  assert.deepEqual(took?.cells, ["800 ms so far", "not started", "never started", "900 ms"]);
  assert.deepEqual(new Set(running?.cells), new Set(["not available yet"]));
});

test("steps are in the order of the first run that has them", () => {
  const unmeasured = { ...NOTHING_RAN, attempts: 1, jobs_cached: 0, running_ms: 10 };
  const copied = timed(1, { steps: [{ step: "copy", ...MEASURED }] });
  const drawn = timed(1, {
    steps: [
      { step: "draw", ...unmeasured },
      { step: "copy", ...NOTHING_RAN },
    ],
  });
  const lines = stepTimingRows([copied, drawn]).map(({ name, cells }) => [name, ...cells].join(" | "));
  assert.deepEqual(lines, [
    "copy | 2.0 s job time, 1.0 s CPU, 1.0 MiB memory | cached",
    "draw | none | 10 ms job time",
  ]);
  assert.deepEqual(stepTimingRows([timed(1, { steps: [{ step: "", ...MEASURED }] })])[0]?.name, "Tool");
});

test("a step without jobs in any run is omitted, and one with jobs in some run is not", () => {
  const idle = { ...NOTHING_RAN, jobs_cached: 0 };
  const withCopy = (copy: typeof idle | typeof MEASURED) =>
    timed(1, {
      steps: [
        { step: "expression", ...idle },
        { step: "copy", ...copy },
      ],
    });
  const rows = stepTimingRows([withCopy(idle), withCopy(MEASURED)]);
  const lines = rows.map(({ name, cells }) => `${name}: ${cells[0]}`);
  assert.deepEqual(lines, ["copy: no jobs"]);
});

test("memory from different sources is labeled", () => {
  assert.equal(hasMixedMemory([timed(1, {}), timed(1, {}), timed(1)]), false);
  assert.equal(hasMixedMemory([timed(1, {}), timed(1, { memory_sources: ["cgroup"] })]), true);
});
