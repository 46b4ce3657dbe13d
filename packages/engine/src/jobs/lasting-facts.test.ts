import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Journal } from "../journal/journal.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import type { JobServices } from "./job-services.ts";
import { NOTHING_MEASURED, type JobExit, type KilledJob, type Machine, type RunningJob } from "../executor/executor.ts";
import { ProgressEvents, waitForExit } from "./start-job.ts";

const JOB = { runId: "r", jobId: "a", step: "s", sampleId: undefined };

/** The facts about one attempt, what was recorded of them, and a clock that only the test moves. */
function attempt(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const recorded: [string, unknown][] = [];
  const append = async (events: readonly NewEvent[]) => {
    recorded.push(...events.map(({ type, data }): [string, unknown] => [type, data]));
    return [];
  };
  const journal = { append, nowMs: () => Date.now() } as Partial<Journal> as Journal; // the test calls nothing else
  const facts = new ProgressEvents(JOB, { journal, log: () => {} } as Partial<JobServices> as JobServices);
  return {
    ...{ facts, recorded },
    pass: (ms: number) => t.mock.timers.tick(ms),
    set: (ms: number) => t.mock.timers.setTime(ms),
  };
}

const LOCAL = { isRemote: false };

describe("an event of a job", () => {
  it("is not recorded if the job ends at once; its end says how long it ran", (t) => {
    const { facts, recorded, pass } = attempt(t);
    facts.runs("1", LOCAL);
    pass(40);
    facts.exited(0, null);
    pass(40);
    assert.equal(facts.end(), 80);
    pass(1000);
    assert.deepEqual(recorded, []);
  });

  it("is recorded once it lasts, with the time since it happened", (t) => {
    const { facts, recorded, pass } = attempt(t);
    facts.runs("1", LOCAL);
    pass(100);
    pass(4900);
    facts.exited(3, null);
    pass(100);
    assert.equal(facts.end(), undefined);
    assert.deepEqual(recorded, [
      ["job.running", { native_id: "1", late_ms: 100 }],
      ["job.exited", { exit_code: 3, signal: null, late_ms: 100 }],
    ]);
  });

  it("is recorded with the next one if a short program leaves much to collect", (t) => {
    const { facts, recorded, pass } = attempt(t);
    facts.runs("1", LOCAL);
    pass(40);
    facts.exited(0, null);
    pass(100);
    assert.deepEqual(recorded, [
      ["job.running", { native_id: "1", late_ms: 140 }],
      ["job.exited", { exit_code: 0, signal: null, late_ms: 100 }],
    ]);
    assert.equal(facts.end(), undefined);
  });

  it("is recorded at once on another machine", (t) => {
    const { facts, recorded } = attempt(t);
    facts.runs("task-1", { isRemote: true });
    assert.deepEqual(recorded, [["job.running", { native_id: "task-1" }]]);
    assert.equal(facts.end(), undefined);
  });

  it("is recorded at once if the run is being aborted", (t) => {
    const { facts, recorded, pass } = attempt(t);
    facts.runs("1", LOCAL);
    pass(20);
    facts.record();
    assert.deepEqual(recorded, [["job.running", { native_id: "1", late_ms: 20 }]]);
  });

  it("is not later than the end of the job if the clock was set back", (t) => {
    const { facts, set } = attempt(t);
    set(50_000);
    facts.runs("1", LOCAL);
    set(1000);
    assert.equal(facts.end(), 0);
  });

  it("is not recorded when it becomes known after the end", (t) => {
    const { facts, recorded, pass } = attempt(t);
    assert.equal(facts.end(), undefined);
    facts.runs("1", LOCAL);
    pass(1000);
    assert.deepEqual(recorded, []);
  });
});

/** The exit becomes known only after the kill, which finds these. */
async function timeLimitAfter(exit: JobExit, jobs: readonly KilledJob[]) {
  const known = Promise.withResolvers<JobExit>();
  const kill: Machine["cancel"] = async () => {
    known.resolve(exit);
    return { proven: true, evidence: ["tes"], jobs, left: [] };
  };
  const executor = { cancel: kill } as Machine; // the test calls nothing else
  const running: RunningJob = { started: Promise.resolve("t1"), exit: known.promise };
  const services = { executor, graceMs: 0, log: () => {} } as Partial<JobServices> as JobServices; // see above
  return (await waitForExit({ ...JOB, attempt: 1 }, running, { seconds: 0.001, services })).timeLimit;
}

describe("a job whose time limit has passed", () => {
  const EXITED: JobExit = { kind: "exited", exitCode: 0, used: NOTHING_MEASURED };
  const FOUND: KilledJob = { jobId: "a", attempt: 1, signals: ["SIGTERM"], found: 1, killed: 0, confirmedMs: 5 };
  const cases: readonly (readonly [string, JobExit, readonly KilledJob[], seconds: number | undefined])[] = [
    ["exceeded its limit if a process had to be ended", EXITED, [FOUND], 0.001],
    ["exceeded its limit if it left no exit code", { kind: "lost" }, [], 0.001],
    ["kept its limit if it had ended before the kill", EXITED, [], undefined],
  ];
  for (const [name, exit, jobs, seconds] of cases)
    it(name, async () => assert.equal((await timeLimitAfter(exit, jobs))?.seconds, seconds));
});
