import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Capacity } from "./machine-capacity.ts";
import { RecordedScheduler } from "./testing/recorded-scheduler.ts";

const machine = { cores: 4, ramMib: 1000, slots: 10 };
const oneCore = { ...machine, cores: 1 };
const numbered = (run: string, count: number) => Array.from({ length: count }, (_, index) => `${run}${index + 1}`);

/** A scheduler to which these jobs were submitted. */
function given(capacity: Capacity, ...names: readonly string[]): RecordedScheduler {
  const at = new RecordedScheduler(capacity);
  at.submitAll(names);
  return at;
}

describe("Scheduler", () => {
  it("starts jobs while cores last, and continues when one is released", () => {
    const at = given(machine, ...numbered("a", 5));
    assert.deepEqual(at.started, ["a1", "a2", "a3", "a4"]);
    assert.deepEqual(at.scheduler.usage, { cores: 4, ramMib: 400, running: 4, waiting: 1 });
    at.release("a2");
    assert.deepEqual(at.started.at(-1), "a5");
  });

  it("counts memory and cores", () => {
    const at = new RecordedScheduler(machine);
    at.submitAll(["a1", "a2"], 1, 600);
    assert.deepEqual(at.started, ["a1"]);
    at.release("a1");
    assert.deepEqual(at.started, ["a1", "a2"]);
  });

  it("fills the machine exactly with fractions of cores", () => {
    const at = new RecordedScheduler({ cores: 2, ramMib: 10_000, slots: 100 });
    at.submitAll(numbered("a", 25), 0.1, 1);
    assert.equal(at.started.length, 20);
    assert.equal(at.scheduler.usage.cores, 2);
  });

  it("gives the whole machine to a job that requests more", () => {
    const at = given(machine, "a1");
    at.submit("b1", 64);
    assert.deepEqual(at.started, ["a1"]);
    at.release("a1");
    assert.deepEqual(at.started, ["a1", "b1"]);
    assert.equal(at.scheduler.usage.cores, 4);
  });

  it("starts expressions although programs hold all slots, a bounded number at a time", () => {
    const at = new RecordedScheduler({ ...machine, slots: 1 });
    at.submitAll(["a1", "a2"]);
    const expressions = numbered("b", 17);
    for (const name of expressions) at.submitElsewhere(name, { isExpression: true });
    assert.deepEqual(at.started, ["a1", ...expressions.slice(0, 16)]);
    assert.match(at.why("b17") ?? "", /^waiting for 16 other expressions;/);
    at.release("b1");
    assert.equal(at.started.at(-1), "b17");
    assert.equal(at.scheduler.usage.cores, 1);
  });

  it("frees the resources of a job once, however often it is released", () => {
    const at = given(machine, "a1");
    at.release("a1", "a1");
    assert.deepEqual(at.scheduler.usage, { cores: 0, ramMib: 0, running: 0, waiting: 0 });
  });

  it("prepares the next jobs while the machine is full, and no more of them than are needed", () => {
    const at = given(oneCore, ...numbered("a", 9));
    assert.deepEqual(at.prepared, ["a2", "a3"]);
    at.release("a1");
    assert.deepEqual([at.started, at.prepared.slice(2)], [["a1", "a2"], ["a4"]]);
  });

  it("prepares twice as many after a job started before it was ready, up to a limit", () => {
    const at = new RecordedScheduler(oneCore);
    at.isFast = false;
    at.submitAll(numbered("a", 200));
    at.release("a1");
    assert.deepEqual(at.prepared, ["a2", "a3", "a4", "a5", "a6"]);
    at.release(...numbered("a", 20).slice(1));
    assert.equal(at.prepared.at(-1), "a53", "32 ahead of the job that runs");
  });

  it("prepares at most 64 jobs of all runs, and none of a run that is paused", () => {
    const at = new RecordedScheduler(oneCore);
    at.submit("z1");
    at.scheduler.enter("p", {});
    at.scheduler.pause("p");
    at.submit("p1");
    const runs = Array.from({ length: 40 }, (_, index) => String.fromCodePoint(0x100 + index));
    at.submitAll(runs.flatMap((run) => numbered(run, 3)));
    assert.equal(at.prepared.length, 64);
    assert.ok(!at.prepared.includes("p1"));
    at.scheduler.withdraw(runs[0] ?? "");
    at.submit("y1");
    assert.equal(at.prepared.at(-1), "y1", "withdrawn jobs make way");
  });

  it("starts a more urgent job before one that is prepared", () => {
    const at = given(oneCore, "a1", "a2");
    at.enter("b", { priority: 1 });
    at.submit("b1");
    at.release("a1");
    assert.deepEqual(at.started, ["a1", "b1"]);
    at.release("b1");
    assert.deepEqual(at.started, ["a1", "b1", "a2"]);
    assert.deepEqual(at.prepared, ["a2", "b1"]);
  });

  it("forgets withdrawn jobs", () => {
    const at = given(oneCore, "a1", "a2", "b1");
    at.scheduler.withdraw("a");
    at.release("a1");
    assert.deepEqual(at.started, ["a1", "b1"]);
    at.release("b1");
    assert.deepEqual(at.scheduler.usage, { cores: 0, ramMib: 0, running: 0, waiting: 0 });
  });

  describe("between runs", () => {
    it("takes turns between equal shares", () => {
      const at = given(oneCore, "a1", "a2", "a3", "b1", "b2", "c1");
      for (let index = 0; index < 5; index++) at.release(at.started[index] ?? "");
      assert.deepEqual(at.started, ["a1", "b1", "c1", "a2", "b2", "a3"]);
    });

    it("gives a run of three jobs its share next to one of ten thousand", () => {
      const at = given(machine, ...numbered("a", 10_000));
      at.submitAll(numbered("b", 3));
      at.release("a1", "a2", "a3");
      assert.deepEqual(at.started.slice(4), ["b1", "b2", "a5"]);
      at.release("b1");
      assert.equal(at.started.at(-1), "b3");
    });

    it("serves the run that holds least, not the run with the shortest or the most jobs", () => {
      const at = new RecordedScheduler(machine);
      // Both runs have two running jobs, but those of run `a` are twice as wide.
      at.submit("a1", 2);
      at.submitAll(["b1", "b2", "a2", "b3"]);
      at.release("b1");
      assert.equal(at.started.at(-1), "b3");
    });

    it("measures a run by its dominant resource, also by memory", () => {
      const at = new RecordedScheduler({ cores: 4, ramMib: 1000, slots: 4 });
      at.submit("a1", 1, 600);
      at.submitAll(["b1", "b2", "c1", "a2", "b3"], 1, 10);
      at.release("c1");
      // By cores, `a` would hold less (1 against 2); by its dominant resource, it holds more (0.6 against 0.5).
      assert.equal(at.started.at(-1), "b3");
    });

    it("passes over a job that does not fit yet, of the same run too", () => {
      const at = new RecordedScheduler(machine);
      at.submit("a1", 3);
      at.submit("b1", 3);
      at.submit("b2", 1);
      assert.deepEqual(at.started, ["a1", "b2"]);
    });

    it("serves the higher priority first, and a lower one with capacity that it cannot use", () => {
      const at = new RecordedScheduler(machine);
      at.enter("h", { priority: 5 });
      at.enter("l", { priority: -5 });
      at.submit("x1", 4);
      at.submitAll(["l1", "l2", "n1", "n2"]);
      at.submit("h1", 2);
      at.submit("h2", 3);
      at.release("x1");
      assert.deepEqual(at.started, ["x1", "h1", "n1", "n2"]);
      at.release("n1");
      assert.equal(at.started.at(-1), "l1");
    });
  });

  describe("a run's own limit", () => {
    it("applies to its jobs at the same time", () => {
      const at = new RecordedScheduler(machine);
      at.enter("a", { maxParallel: 2 });
      at.submitAll(["a1", "a2", "a3", "b1"]);
      assert.deepEqual(at.started, ["a1", "a2", "b1"]);
      at.release("a1");
      assert.equal(at.started.at(-1), "a3");
    });

    it("still applies after a time without any job of the run", () => {
      const at = new RecordedScheduler(machine);
      at.enter("a", { maxParallel: 1 });
      at.submit("a1");
      at.release("a1");
      at.submitAll(["a2", "a3"]);
      assert.deepEqual(at.started, ["a1", "a2"]);
    });

    it("is forgotten with the run", () => {
      const at = new RecordedScheduler(machine);
      at.enter("a", { maxParallel: 1 });
      at.scheduler.leave("a");
      at.submitAll(["a1", "a2"]);
      assert.deepEqual(at.started, ["a1", "a2"]);
    });
  });

  describe("a job for another backend", () => {
    const withCluster = { ...oneCore, remote: 2 };

    it("uses a slot of its backend and no resources of this machine", () => {
      const at = given(withCluster, "a1", "a2");
      for (const name of ["b1", "b2", "b3"]) at.submitElsewhere(name, { isRemote: true });
      assert.deepEqual(at.started, ["a1", "b1", "b2"]);
      assert.deepEqual(at.scheduler.usage, { cores: 1, ramMib: 100, running: 3, waiting: 2 });
      assert.equal(
        at.why("b3"),
        "waiting for a slot at its backend: 2 jobs of Weft are there; takes turns with 1 other run",
      );
      at.release("b1");
      assert.deepEqual(at.started.at(-1), "b3");
      at.release("a1");
      assert.deepEqual(at.started.at(-1), "a2");
    });

    it("continues if this machine has no slot left, and vice versa", () => {
      const at = new RecordedScheduler({ ...withCluster, slots: 1, remote: 1 });
      at.submit("a1");
      at.submitElsewhere("b1", { isRemote: true });
      at.release("a1");
      at.submit("a2");
      assert.deepEqual(at.started, ["a1", "b1", "a2"]);
    });

    it("counts toward the limit of its run", () => {
      const at = new RecordedScheduler(withCluster);
      at.enter("a", { maxParallel: 1 });
      at.submitElsewhere("a1", { isRemote: true });
      at.submit("a2");
      assert.deepEqual(at.started, ["a1"]);
    });

    it("counts toward the share of its run", () => {
      const at = new RecordedScheduler(withCluster);
      for (const name of ["a1", "b1", "a2", "c1"]) at.submitElsewhere(name, { isRemote: true });
      at.release("b1");
      assert.deepEqual(at.started, ["a1", "b1", "c1"]);
    });
  });

  it("starts no job of a paused run, and later continues in the same order", () => {
    const at = given(oneCore, "a1", "a2", "a3", "b1");
    at.scheduler.pause("a");
    at.release("a1", "b1");
    assert.deepEqual(at.started, ["a1", "b1"]);
    assert.equal(at.why("a2"), "its run is paused");
    assert.equal(at.scheduler.usage.waiting, 2);
    at.scheduler.resume("a");
    at.release("a2");
    assert.deepEqual(at.started, ["a1", "b1", "a2", "a3"]);
  });

  it("reattaches running jobs immediately, regardless of free capacity, and counts them", () => {
    const at = new RecordedScheduler({ cores: 2, ramMib: 1000, slots: 10 });
    at.enter("a", { maxParallel: 1 });
    at.scheduler.pause("a");
    at.inspect("a1", 2);
    at.inspect("a2", 2);
    at.submit("b1");
    assert.deepEqual(at.started, ["a1", "a2"]);
    assert.equal(at.why("b1"), "waiting for 1 core (0 free now)");
    at.release("a1", "a2");
    assert.deepEqual(at.started, ["a1", "a2", "b1"]);
    assert.deepEqual(at.scheduler.usage, { cores: 1, ramMib: 100, running: 1, waiting: 0 });
  });
});
