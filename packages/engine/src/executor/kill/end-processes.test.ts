import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endProcesses, type KernelGroups, type ProcessTable } from "./end-processes.ts";
import type { FoundProcess } from "./job-processes.ts";

type Life = "polite" | "deaf" | "breeding";

/** Processes that live until a signal ends them: polite ones by SIGTERM, others by SIGKILL; some leave a child each time they are seen. */
function table(lives: Readonly<Record<number, Life>>) {
  const living = new Map(Object.entries(lives).map(([pid, life]) => [Number(pid), life]));
  const signals: string[] = [];
  let born = 0;
  const scripted: ProcessTable = {
    evidence: "scans",
    find: async () => {
      if ([...living.values()].includes("breeding") && born < 3) living.set(100 + ++born, "deaf");
      return [...living.keys()].map((pid): FoundProcess => ({ pid, job: pid === 9 ? undefined : "a/1" }));
    },
    signal: (pid, signal) => {
      signals.push(`${signal} ${pid}`);
      if (signal === "SIGKILL" || (signal === "SIGTERM" && living.get(pid) === "polite")) living.delete(pid);
    },
  };
  return { table: scripted, signals, living };
}

const TARGET = { runId: "r", graceMs: 0 };

describe("endProcesses", () => {
  it("sends SIGTERM first, and continues stopped processes so that they can react", async () => {
    const { table: polite, signals } = table({ 1: "polite" });
    const report = await endProcesses({ ...TARGET, graceMs: 60_000 }, { table: polite, groups: undefined });
    assert.deepEqual(signals, ["SIGTERM 1", "SIGCONT 1"]);
    assert.deepEqual([report.proven, report.left, report.evidence], [true, [], ["scans"]]);
    const [job] = report.jobs;
    const wanted = { jobId: "a", attempt: 1, signals: ["SIGTERM"], found: 1, killed: 0, confirmedMs: "number" };
    assert.deepEqual({ ...job, confirmedMs: typeof job?.confirmedMs }, wanted);
  });

  it("stops all before it kills any, and counts by job; processes without a job have no name", async () => {
    const { table: deaf, signals } = table({ 1: "deaf", 2: "deaf", 9: "deaf" });
    const { jobs } = await endProcesses(TARGET, { table: deaf, groups: undefined });
    const stops = ["SIGSTOP 1", "SIGSTOP 2", "SIGSTOP 9"];
    assert.deepEqual(signals.slice(-6), [...stops, "SIGKILL 1", "SIGKILL 2", "SIGKILL 9"]);
    assert.deepEqual(
      jobs.map(({ jobId, attempt, found, killed }) => [jobId, attempt, found, killed]),
      [
        ["a", 1, 2, 2],
        ["", 0, 1, 1],
      ],
    );
  });

  it("continues until three searches in a row find nothing", async () => {
    const { table: breeding, living } = table({ 1: "breeding" });
    const report = await endProcesses(TARGET, { table: breeding, groups: undefined });
    assert.deepEqual([report.proven, living.size], [true, 0]);
  });

  it("kills the kernel's group, and proves nothing before it is empty", async () => {
    let members = 2;
    let kills = 0;
    const groups: KernelGroups = {
      has: () => true,
      find: () => [],
      kill: () => void (kills += 1),
      // The end takes a moment.
      isEmpty: () => kills > 0 && --members < 0,
    };
    const report = await endProcesses(TARGET, { table: table({}).table, groups });
    assert.deepEqual([report.proven, report.evidence], [true, ["scans", "cgroup"]]);
    assert.equal(kills, 3);
  });

  it("proves nothing while a process that can no longer be recognized is ending", async () => {
    const { table: deaf } = table({ 1: "deaf" });
    let looks = 0;
    // Only a process that was found before can be one of the run.
    const isEnding = (pid: number): boolean => pid === 1 && ++looks <= 5;
    const report = await endProcesses(TARGET, { table: { ...deaf, isEnding }, groups: undefined });
    assert.deepEqual([report.proven, looks], [true, 8]);
    assert.deepEqual(
      report.jobs.map(({ jobId, found }) => [jobId, found]),
      [["a", 1]],
    );
  });

  it("names processes that cannot be ended, and does not call the end proven", async () => {
    const immortal: ProcessTable = { evidence: "scans", find: async () => [{ pid: 7, job: "a/1" }], signal: () => {} };
    let nowMs = 0;
    const clock = { now: () => nowMs, pause: async () => void (nowMs += 20_000) };
    const report = await endProcesses(TARGET, { table: immortal, groups: undefined, clock });
    assert.deepEqual([report.proven, report.left], [false, [7]]);
  });
});
