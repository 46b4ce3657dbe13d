import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Scheduler } from "./scheduler.ts";
import type { Ticket } from "./ticket.ts";
import { RecordedScheduler } from "./testing/recorded-scheduler.ts";

const TWO_CORES = { cores: 2, ramMib: 1000, slots: 8 };
const mixed = (index: number) => ({ cores: 1 + (index % 2), ramMib: 100 + (index % 3) });

/** The cost of a start and an end, in queues visited, for a number of jobs waiting in a number of runs. */
function looksPerJob(jobs: number, runs: number, capacity = TWO_CORES, sizeOf = mixed): number {
  const scheduler = new Scheduler(capacity);
  const started: Ticket[] = [];
  for (let index = 0; index < jobs; index++) {
    const names = { runId: `run ${index % runs}`, jobId: `job ${index}` };
    const ticket: Ticket = { ...names, ...sizeOf(index), start: () => started.push(ticket) };
    scheduler.submit(ticket);
  }
  const before = scheduler.looks;
  const ends = Math.min(jobs, 1000);
  for (let index = 0; index < ends; index++) scheduler.release(started[index] ?? assert.fail("nothing runs"));
  return (scheduler.looks - before) / ends;
}

describe("the cost of a decision", () => {
  it("is the same for 10, 1,000 and 20,000 waiting jobs of one run", () => {
    const costs = [10, 1000, 20_000].map((jobs) => looksPerJob(jobs, 1));
    for (const cost of costs) assert.ok(cost < 20, `${costs.join(", ")} looks for each job`);
  });

  it("grows with the logarithm of the number of runs", () => {
    const costs = [10, 1000, 10_000].map((runs) => looksPerJob(20_000, runs));
    const [few = 0, , many = 0] = costs;
    assert.ok(many < few * 5, `${costs.join(", ")} looks for each job`);
  });

  it("does not grow with the number of different sizes of jobs", () => {
    const oneSlot = { cores: 1, ramMib: 100_000, slots: 1 };
    const cost = looksPerJob(10_000, 1, oneSlot, (index) => ({ cores: 1, ramMib: 1000 + index }));
    assert.ok(cost < 120, `${cost} looks for each job`);
  });

  it("runs 10,000 jobs in their order and forgets them", () => {
    const at = new RecordedScheduler({ cores: 1, ramMib: 1000, slots: 1 });
    const names = Array.from({ length: 10_000 }, (_, index) => `a${index}`);
    at.submitAll(names);
    at.release(...names);
    assert.deepEqual(at.started, names);
    assert.deepEqual(at.scheduler.usage, { cores: 0, ramMib: 0, running: 0, waiting: 0 });
  });
});
