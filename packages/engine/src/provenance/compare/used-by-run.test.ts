import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { usedByRun, type JobUse } from "./used-by-run.ts";
import { columns } from "../../testing/columns.ts";

const RUN = { startedMs: 1000, endedMs: 9000 };

function job(change: Partial<JobUse>): JobUse {
  return {
    ...{ step: "measure", tool: { id: "measure", version: "1.0.0", class: "CommandLineTool" }, cache: null },
    ...{ startedMs: 1000, endedMs: 3000, attempts: [], cpuMs: 500, maxRssBytes: 100, memorySource: "sampled" },
    ...change,
  };
}

const NONE = {
  ...{ attempts: 0, jobs_cached: 0, running_ms: 0, cpu_ms: null, cpu_measured: 0 },
  ...{ max_rss_bytes: null, memory_measured: 0, memory_sources: [] },
};

describe("usedByRun", () => {
  it("sums times and takes the highest peak, as a whole and by step in the order of queueing", () => {
    const jobs = [job({}), job({ maxRssBytes: 300, memorySource: "cgroup" }), job({ step: "draw", endedMs: 1001 })];
    const { steps, ...whole } = usedByRun(RUN, jobs);
    assert.deepEqual(whole, {
      ...{ duration_ms: 8000, attempts: 3, jobs_cached: 0, running_ms: 4001, cpu_ms: 1500, cpu_measured: 3 },
      ...{ max_rss_bytes: 300, memory_measured: 3, memory_sources: ["cgroup", "sampled"] },
    });
    assert.deepEqual(columns(steps, "step", "attempts", "running_ms"), [
      ["measure", 2, 4000],
      ["draw", 1, 1],
    ]);
  });

  it("counts the attempts that failed", () => {
    const failed = { startedMs: 0, endedMs: 50, cpuMs: 200, maxRssBytes: 900, memorySource: null };
    const never = { ...failed, startedMs: null, cpuMs: null, maxRssBytes: null };
    const used = usedByRun(RUN, [job({ attempts: [failed, never] })]);
    assert.deepEqual([used.attempts, used.running_ms, used.cpu_ms, used.max_rss_bytes], [2, 2050, 700, 900]);
  });

  it("contains the number of attempts with known usage", () => {
    const used = usedByRun(RUN, [job({}), job({ cpuMs: null, maxRssBytes: null, memorySource: null })]);
    assert.deepEqual([used.attempts, used.cpu_measured, used.memory_measured], [2, 1, 1]);
    assert.deepEqual([used.cpu_ms, used.max_rss_bytes], [500, 100]);
  });

  it("leaves out reused results, expressions and jobs that never started", () => {
    const hit = job({ cache: { decision: "hit", reason: "", diff: [] } });
    const expression = job({ tool: { id: null, version: null, class: "ExpressionTool" } });
    const used = usedByRun({ startedMs: null, endedMs: 5 }, [hit, expression, job({ startedMs: null })]);
    assert.deepEqual(used, {
      duration_ms: null,
      ...NONE,
      jobs_cached: 1,
      steps: [{ step: "measure", ...NONE, jobs_cached: 1 }],
    });
  });
});
