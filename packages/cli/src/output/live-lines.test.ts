import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RunSnapshot } from "@weft/engine/document/read-run-snapshot.ts";
import { liveLines } from "./live-lines.ts";

const SCREEN = { columns: 60, rows: 24, hasColor: false };

type Step = RunSnapshot["steps"][number];
const step = (name: string, jobsTotal: number, jobCounts: Step["jobCounts"], jobsTotalIsFinal = true): Step => ({
  step: name,
  label: null,
  jobsTotal,
  jobsTotalIsFinal,
  jobCounts,
  jobsCached: 0,
});

function snapshot(part: Partial<RunSnapshot>, run: Partial<RunSnapshot["run"]> = {}): RunSnapshot {
  // The view reads these fields only.
  const row = { name: "net", state: "RUNNING", createdMs: 1000, endedMs: null, ...run } as RunSnapshot["run"];
  return { run: row, steps: [], left: null, slowest: undefined, ...part };
}

describe("the live view of a run", () => {
  it("shows the run, its steps and the slowest job", () => {
    const steps = [
      step("name", 1, { COMPLETE: 1 }),
      step("smooth", 6, { COMPLETE: 2, RUNNING: 2 }),
      step("bad", 3, { COMPLETE: 1, EXECUTOR_ERROR: 1 }),
      step("later", 2, {}, false),
      step("last", 0, {}, false),
    ];
    const slowest = { jobId: "smooth-3", sampleId: "sub-03", startedMs: 61_000, lastLine: "reading" };
    const left = { expected_ms: 300_000, low_ms: 290_000, high_ms: 299_000 };
    assert.deepEqual(liveLines(snapshot({ steps, slowest, left }), 66_000, SCREEN), [
      "net: running, 1 m 05 s, about 5 min left",
      "✓ name    1/1",
      "● smooth  2/6   2 running",
      "✗ bad     1/3   1 failed",
      "· later   0/2+",
      "· last    0/?",
      "  smooth-3 (sub-03) 5 s │ reading",
    ]);
  });

  it("shows how long an ended run took", () => {
    const ended = snapshot({ steps: [step("", 1, { CANCELED: 1 })] }, { state: "CANCELED", endedMs: 4000 });
    assert.deepEqual(liveLines(ended, 99_000, SCREEN), ["net: aborted, 3 s", "✗ job  0/1  1 aborted"]);
  });

  it("says that a run failed", () => {
    const failed = snapshot({}, { state: "EXECUTOR_ERROR", endedMs: 2000 });
    assert.deepEqual(liveLines(failed, 2000, SCREEN), ["net: failed, 1 s"]);
  });

  it("fits the terminal, and prefers steps that run", () => {
    const steps = Array.from({ length: 30 }, (_, n) =>
      step(`step-${n}`, 1, n < 20 ? { COMPLETE: 1 } : n < 22 ? { RUNNING: 1 } : {}),
    );
    const lines = liveLines(snapshot({ steps }), 2000, { columns: 20, rows: 10, hasColor: false });
    assert.ok(lines.length <= 10, String(lines.length));
    for (const line of lines) assert.ok([...line].length < 20, line);
    assert.match(lines.join("\n"), /step-20 .*\n.*step-21 /);
    assert.match(lines.at(-1) ?? "", /… 24 more steps/);
  });

  const hostile: readonly [string, string][] = [
    ["\u001B[2J\u001B[31mred\u001B[0m", "red"],
    ["\u001B]0;title\u0007text", "text"],
    ["10 %\r20 %\r", "20 %"],
    ["a\u0008b\u202Ec", "a b c"],
  ];
  for (const [lastLine, shown] of hostile)
    it(`shows ${JSON.stringify(lastLine)} without control sequences`, () => {
      const slowest = { jobId: "j", sampleId: null, startedMs: 1000, lastLine };
      assert.deepEqual(liveLines(snapshot({ slowest }), 2000, SCREEN).at(-1), `  j 1 s │ ${shown}`);
    });

  it("has colors only if they are allowed", () => {
    const ended = snapshot({}, { state: "COMPLETE", endedMs: 2000 });
    assert.deepEqual(liveLines(ended, 2000, { ...SCREEN, hasColor: true }), ["\u001B[32mnet: complete, 1 s\u001B[0m"]);
  });
});
