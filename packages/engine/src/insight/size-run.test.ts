import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobMeasure } from "../journal/read-measures.ts";
import type { StepRow } from "../journal/rows.ts";
import { sizeRun } from "./size-run.ts";

const MIB = 1024 * 1024;

function measure(runId: string, seconds: number, more: Partial<JobMeasure> = {}): JobMeasure {
  return {
    ...{ runId, step: "sleep", toolId: "sleep-tree", toolVersion: "1.0.0" },
    ...{ isSuccess: true, ranOutOfMemory: false, startedMs: 0, endedMs: seconds * 1000 },
    ...{ cores: 1, ramBytes: 16 * MIB, isRemote: false },
    ...{ cpuMs: 10, maxRssBytes: seconds * MIB, memorySource: "cgroup" },
    ...more,
  };
}

const EARLIER = { measures: [measure("before", 10), measure("before", 12)], widths: new Map() };

function stepOf(own: readonly JobMeasure[]) {
  // The only field of a step that counts here.
  const steps = [{ step: "sleep" } as StepRow];
  const found = sizeRun({ runId: "this" }, { measuresOfRun: () => own, steps: () => steps }, [EARLIER]).steps[0];
  return { jobs: found?.sizing.jobs, time: found?.used_here.time_ms, memory: found?.used_here.ram_bytes?.max ?? null };
}

describe("sizeRun", () => {
  it("gives a run whose jobs were aborted, reused or never started no numbers of other runs", () =>
    assert.deepEqual(stepOf([]), { jobs: 2, time: null, memory: null }));

  it("leaves out jobs that failed", () =>
    assert.deepEqual(stepOf([measure("this", 3, { isSuccess: false })]), { jobs: 2, time: null, memory: null }));

  it("gives the numbers of the run's own jobs next to those of all runs", () =>
    assert.deepEqual(stepOf([measure("this", 3), measure("this", 5)]), {
      jobs: 4,
      time: { jobs: 2, p50: 3000, p95: 5000, max: 5000 },
      memory: 5 * MIB,
    }));
});
