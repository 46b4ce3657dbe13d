import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RecordedScheduler } from "./testing/recorded-scheduler.ts";

const machine = { cores: 4, ramMib: 1000, slots: 10 };

describe("a job says why it waits", () => {
  const cases: Readonly<
    Record<string, readonly [size: Partial<typeof machine>, fill: (at: RecordedScheduler) => void, expected: string]>
  > = {
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
    "a slot": [{ slots: 1 }, (at) => at.submitAll(["a1", "a2"]), "waiting for a slot: 1 job is running"],
    "the run's own limit": [
      {},
      (at) => (at.enter("a", { maxParallel: 1 }), at.submitAll(["a1", "a2"])),
      "the run is limited to 1 job at a time",
    ],
    "jobs of its own run": [
      { slots: 1 },
      (at) => at.submitAll(["a1", "a3", "a4", "a2"]),
      "waiting for a slot: 1 job is running; 2 jobs of its run are ahead of it",
    ],
    "other runs": [
      { slots: 2 },
      (at) => at.submitAll(["b1", "b2", "b3", "c1", "a2"]),
      "waiting for a slot: 2 jobs are running; takes turns with 2 other runs",
    ],
    "higher priorities": [
      { slots: 1 },
      (at) => (at.enter("h", { priority: 3 }), at.submitAll(["b1", "h1", "h2", "a2"])),
      "waiting for a slot: 1 job is running; 2 jobs of 1 run with a higher priority go first",
    ],
    "a pause": [{ slots: 1 }, (at) => (at.submitAll(["a1", "a2"]), at.scheduler.pause("a")), "its run is paused"],
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
    for (let index = 1; index <= 3000; index++) at.submit(`a${index}`);
    for (let index = 1; index <= 2900; index++) at.release(`a${index}`);
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
  assert.deepEqual(at.scheduler.waitingFor(), {
    cores: 2,
    memory: 1,
    slot: 0,
    kept_room: 0,
    turn: 0,
    run_bound: 1,
    paused: 2,
  });
});

describe("a run", () => {
  const cases: Readonly<Record<string, readonly [fill: (at: RecordedScheduler) => void, isBehind: boolean]>> = {
    "it is alone": [(at) => at.submitAll(["a1", "a2", "a3"]), false],
    "nothing of it runs": [(at) => at.submitAll(["b1", "b2", "a1"]), true],
    "one of its jobs runs, so that they take turns": [(at) => at.submitAll(["b1", "a1", "b2", "a2"]), false],
    "its own limit is what it waits for": [
      (at) => (at.enter("a", { maxParallel: 1 }), at.submitAll(["a1", "b1", "a2"])),
      false,
    ],
    "a higher priority goes first": [
      (at) => (at.enter("h", { priority: 3 }), at.submitAll(["a1", "h1", "h2", "a2"])),
      true,
    ],
    "all its jobs have ended": [(at) => at.submitAll(["b1", "b2", "b3"]), false],
  };
  for (const [name, [fill, isBehind]] of Object.entries(cases))
    it(`${isBehind ? "waits" : "does not wait"} for jobs of other runs if ${name}`, () => {
      const at = new RecordedScheduler({ ...machine, slots: 2 });
      fill(at);
      assert.equal(at.scheduler.competition("a").isBehind, isBehind);
    });
});
