import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RecordedScheduler } from "./testing/recorded-scheduler.ts";

const machine = { cores: 4, ramMib: 1000, slots: 10 };

/** A machine full of small jobs of run s with more of them waiting; each that ends is followed by another. */
function busy(waiting: number): RecordedScheduler {
  const at = new RecordedScheduler(machine);
  for (let index = 1; index <= 4 + waiting; index++) at.submit(`s${index}`);
  return at;
}

/** Ends the small jobs in the order of their starts, until `name` has started; returns how many that took. */
function endsUntil(at: RecordedScheduler, name: string, from = 0): number {
  for (let index = from; index < at.started.length; index++) {
    if (at.started.includes(name)) return index - from;
    at.release(at.started[index] ?? "");
  }
  return Number.POSITIVE_INFINITY;
}

describe("a wide job behind a stream of small ones", () => {
  it("starts once other jobs got as much as the whole machine, and the jobs that then ran have ended", () => {
    const at = busy(1000);
    at.submit("w1", 4);
    // Four jobs start before it, on all four cores; then the four jobs that run must end.
    assert.equal(endsUntil(at, "w1"), 8);
    assert.equal(at.scheduler.usage.running, 1);
    at.release("w1");
    assert.equal(at.scheduler.usage.running, 4);
  });

  it("also starts if the small jobs belong to its own run", () => {
    const at = busy(0);
    at.submit("s9999", 4);
    for (let index = 5; index < 1000; index++) at.submit(`s${index}`);
    assert.equal(endsUntil(at, "s9999"), 8);
  });

  it("reports its reservation, and other jobs report that the capacity is reserved", () => {
    const at = busy(1000);
    at.submit("w1", 3);
    assert.equal(at.why("w1"), "waiting for 3 cores (0 free now); takes turns with 1 other run");
    at.release("s1", "s2", "s3", "s4", "s5", "s6");
    const [before = ""] = at.started.slice(-1);
    assert.match(at.why("w1") ?? "", /^waiting for 3 cores \(\d free now\); free resources are reserved for it/);
    assert.match(at.why("s900") ?? "", /^free resources are reserved for a job of another run, which requests 3 cores/);
    assert.notEqual(before, "w1");
  });

  it("leaves capacity that it does not need to other jobs", () => {
    const at = busy(1000);
    at.submit("w1", 3);
    endsUntil(at, "w1");
    // Three cores are reserved for it; the fourth continues with small jobs.
    const { running, cores } = at.scheduler.usage;
    assert.deepEqual([running, cores], [2, 4]);
  });

  it("gets its reservation before a second wide job gets one", () => {
    const at = busy(1000);
    at.submit("w1", 4);
    at.submit("v1", 4);
    const first = endsUntil(at, "w1");
    assert.ok(endsUntil(at, "v1", first) <= 12, "the second one starts after at most three jobs for each core");
  });

  it("gives way to jobs of higher priority, and holds up jobs of equal or lower priority", () => {
    const at = busy(1000);
    at.enter("h", { priority: 1 });
    at.enter("l", { priority: -1 });
    at.submit("w1", 4);
    at.release("s1", "s2", "s3", "s4", "s5");
    at.submitAll(["l1", "n1"]);
    assert.equal(at.scheduler.usage.running, 3);
    at.submit("h1");
    assert.equal(at.started.at(-1), "h1");
  });

  it("is released when its run is paused, withdrawn or forgotten", () => {
    const endings: readonly ((at: RecordedScheduler) => void)[] = [
      (at) => at.scheduler.pause("w"),
      (at) => at.scheduler.withdraw("w"),
      (at) => at.scheduler.leave("w"),
    ];
    for (const end of endings) {
      const at = busy(1000);
      at.submit("w1", 4);
      at.release("s1", "s2", "s3", "s4", "s5", "s6");
      assert.equal(at.scheduler.usage.running, 2);
      end(at);
      assert.equal(at.scheduler.usage.running, 4);
    }
  });

  it("keeps one of the jobs that its run may run at the same time", () => {
    const at = new RecordedScheduler(machine);
    at.enter("w", { maxParallel: 2 });
    at.submitAll(["w1", "w2"]);
    at.submit("w99", 4);
    for (let index = 3; index <= 40; index++) at.submit(`w${index}`);
    assert.ok(endsUntil(at, "w99") < 10, "it starts long before all small jobs have ended");
  });
});

it("always makes progress: some job runs or has started until all have", () => {
  // A small generator, so that every run of the test uses the same numbers.
  let seed = 7;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const at = new RecordedScheduler({ cores: 8, ramMib: 4000, slots: 6 });
  const runs = ["a", "b", "c", "d", "e"];
  runs.forEach((run, index) =>
    at.enter(run, { priority: (index % 3) - 1, ...(index > 2 ? { maxParallel: index } : {}) }),
  );
  let ended = 0;
  for (let index = 0; index < 2000; index++) {
    at.submit(`${runs[next(5)]}${index}`, 1 + next(9), 50 + next(4000));
    if (next(3) === 0 && ended < at.started.length) at.release(at.started[ended++] ?? "");
    const { cores, ramMib, running } = at.scheduler.usage;
    assert.ok(cores <= 8 && ramMib <= 4000 && running <= 6 && running > 0);
  }
  while (ended < at.started.length) at.release(at.started[ended++] ?? "");
  assert.equal(new Set(at.started).size, 2000);
});
