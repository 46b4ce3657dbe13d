import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobMeasure } from "../journal/read-measures.ts";
import type { StepRow } from "../journal/rows.ts";
import { sizeJobs } from "./size-jobs.ts";
import { sizeRun } from "./size-run.ts";

const MIB = 1024 * 1024;
const JOB: JobMeasure = {
  ...{ runId: "r1", step: "smooth", toolId: "smooth", toolVersion: "1.0.0" },
  ...{ isSuccess: true, ranOutOfMemory: false, startedMs: 0, endedMs: 10_000 },
  ...{ cores: 4, ramBytes: 8192 * MIB, isRemote: false },
  ...{ cpuMs: 15_000, maxRssBytes: 300 * MIB, memorySource: "cgroup" },
};

function jobs(count: number, more: Partial<JobMeasure> = {}): JobMeasure[] {
  return Array.from({ length: count }, () => ({ ...JOB, ...more }));
}

describe("sizeJobs", () => {
  it("suggests the use of nearly all jobs, with a margin for memory, as lines to paste", () => {
    const sizing = sizeJobs(jobs(20));
    assert.deepEqual(sizing.requested, { cores: 4, ram_bytes: 8192 * MIB });
    assert.deepEqual(sizing.used.cores, { jobs: 20, p50: 1.5, p95: 1.5, max: 1.5 });
    assert.equal(sizing.suggestion?.text, "requirements:\n  ResourceRequirement:\n    coresMin: 2\n    ramMin: 384\n");
    assert.equal(sizing.suggestion.jobs, 20);
  });

  it("suggests nothing for few jobs, and no line for a resource that few jobs measured", () => {
    assert.equal(sizeJobs(jobs(4)).suggestion, null);
    assert.equal(sizeJobs([]).suggestion, null);
    const mixed = [...jobs(10, { maxRssBytes: null }), ...jobs(4)];
    assert.equal(sizeJobs(mixed).suggestion?.text, "requirements:\n  ResourceRequirement:\n    coresMin: 2\n");
  });

  it("never suggests less memory than a job has used, or than jobs have lacked", () => {
    const outlier = [...jobs(99), ...jobs(1, { maxRssBytes: 3000 * MIB })];
    assert.equal(sizeJobs(outlier).suggestion?.ram_min_mib, 3072);
    const lacking = [...jobs(20), ...jobs(1, { isSuccess: false, ranOutOfMemory: true, ramBytes: 4096 * MIB })];
    assert.equal(sizeJobs(lacking).out_of_memory_jobs, 1);
    assert.equal(sizeJobs(lacking).suggestion?.ram_min_mib, 6144);
  });

  it("suggests parts of a core only to tools that request one", () => {
    const idle = { cpuMs: 150 };
    assert.equal(sizeJobs(jobs(20, idle)).suggestion?.cores_min, 1);
    assert.equal(sizeJobs(jobs(20, { ...idle, cores: 0.5 })).suggestion?.cores_min, 0.1);
    assert.equal(sizeJobs(jobs(20, { cores: 0.5 })).suggestion?.cores_min, 2);
  });

  it("does not count the cores of jobs that end at once", () => {
    assert.equal(sizeJobs(jobs(20, { endedMs: 300, cpuMs: 900 })).used.cores, null);
  });
});

const measure = (runId: string, seconds: number, more: Partial<JobMeasure> = {}): JobMeasure => ({
  ...{ ...JOB, runId, cpuMs: 10, endedMs: seconds * 1000, maxRssBytes: seconds * MIB },
  ...more,
});

const EARLIER = { measures: [measure("before", 10), measure("before", 12)], widths: new Map() };

function stepOf(own: readonly JobMeasure[]) {
  // The only field of a step that counts here.
  const steps = [{ step: JOB.step } as StepRow];
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
