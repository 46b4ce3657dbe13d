import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RecordedScheduler } from "./testing/recorded-scheduler.ts";

const machine = { cores: 4, ramMib: 1000, slots: 10 };

type Fill = (at: RecordedScheduler) => void;

/** Submits these jobs. */
const jobs =
  (...names: readonly string[]): Fill =>
  (at) =>
    at.submitAll(names);

describe("a job says why it waits", () => {
  const slot = { slots: 1 };
  const limited: Fill = (at) => (at.enter("a", { maxParallel: 1 }), at.submitAll(["a1", "a2"]));
  const urgent: Fill = (at) => (at.enter("h", { priority: 3 }), at.submitAll(["b1", "h1", "h2", "a2"]));
  const cases: Readonly<Record<string, readonly [size: Partial<typeof machine>, Fill, expected: string]>> = {
    cores: [{}, (at) => (at.submit("a1", 3), at.submit("a2", 2)), "waiting for 2 cores (1 free now)"],
    memory: [
      { ramMib: 11 * 1024 },
      (at) => at.submitAll(["a1", "a2"], 1, 8 * 1024),
      "waiting for 8 GiB of memory (3 GiB free now)",
    ],
    both: [
      {},
      (at) => (at.submit("a1", 4, 600), at.submit("a2", 1, 500)),
      "waiting for 1 core (0 free now) and 500 MiB of memory (400 MiB free now)",
    ],
    "a slot": [slot, jobs("a1", "a2"), "waiting for a slot: 1 job is running"],
    "the run's own limit": [{}, limited, "the run is limited to 1 job at a time"],
    "jobs of its own run": [
      slot,
      jobs("a1", "a3", "a4", "a2"),
      "waiting for a slot: 1 job is running; 2 jobs of its run are ahead of it",
    ],
    "other runs": [
      { slots: 2 },
      jobs("b1", "b2", "b3", "c1", "a2"),
      "waiting for a slot: 2 jobs are running; takes turns with 2 other runs",
    ],
    "higher priorities": [
      slot,
      urgent,
      "waiting for a slot: 1 job is running; 2 jobs of 1 run with a higher priority go first",
    ],
    "a pause": [slot, (at) => (at.submitAll(["a1", "a2"]), at.scheduler.pause("a")), "its run is paused"],
  };
  for (const [name, [size, fill, expected]] of Object.entries(cases))
    it(`names ${name}`, () => {
      const at = new RecordedScheduler({ ...machine, ...size });
      fill(at);
      assert.equal(at.why("a2"), expected);
    });

  it("has none for a started, withdrawn or unknown job", () => {
    const at = new RecordedScheduler({ ...machine, slots: 1 });
    at.submitAll(["a1", "a2"]);
    assert.deepEqual([at.why("a1"), at.why("b2")], [undefined, undefined]);
    at.scheduler.withdraw("a");
    assert.equal(at.why("a2"), undefined);
  });

  it("counts the jobs before it while its run continues", () => {
    const at = new RecordedScheduler({ ...machine, slots: 1 });
    const names = Array.from({ length: 3000 }, (_, index) => `a${index + 1}`);
    at.submitAll(names);
    at.release(...names.slice(0, 2900));
    assert.equal(at.why("a2950"), "waiting for a slot: 1 job is running; 48 jobs of its run are ahead of it");
  });
});

it("waiting jobs are counted by their reason", () => {
  const at = new RecordedScheduler({ cores: 4, ramMib: 1000, slots: 3 });
  at.enter("b", { maxParallel: 1 });
  at.submit("a1", 3, 800);
  at.submitAll(["a2", "a3"], 2, 10);
  at.submit("m1", 0.5, 500);
  at.submitAll(["b1", "b2"], 0.1, 10);
  at.submitAll(["p1", "p2"], 1, 900);
  at.scheduler.pause("p");
  const none = { slot: 0, kept_room: 0, turn: 0 };
  assert.deepEqual(at.scheduler.waitingFor(), { ...none, cores: 2, memory: 1, run_bound: 1, paused: 2 });
});

describe("a run", () => {
  const limited: Fill = (at) => (at.enter("a", { maxParallel: 1 }), at.submitAll(["a1", "b1", "a2"]));
  const urgent: Fill = (at) => (at.enter("h", { priority: 3 }), at.submitAll(["a1", "h1", "h2", "a2"]));
  const cases: Readonly<Record<string, readonly [Fill, isBehind: boolean]>> = {
    "it is alone": [jobs("a1", "a2", "a3"), false],
    "nothing of it runs": [jobs("b1", "b2", "a1"), true],
    "one of its jobs runs, so that they take turns": [jobs("b1", "a1", "b2", "a2"), false],
    "its own limit is what it waits for": [limited, false],
    "a higher priority goes first": [urgent, true],
    "all its jobs have ended": [jobs("b1", "b2", "b3"), false],
  };
  for (const [name, [fill, isBehind]] of Object.entries(cases))
    it(`${isBehind ? "waits" : "does not wait"} for jobs of other runs if ${name}`, () => {
      const at = new RecordedScheduler({ ...machine, slots: 2 });
      fill(at);
      assert.equal(at.scheduler.competition("a").isBehind, isBehind);
    });
});
