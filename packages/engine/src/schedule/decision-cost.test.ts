import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Scheduler } from "./scheduler.ts";
import type { Ticket } from "./ticket.ts";

/** The cost of a start and an end, in queues visited, for a number of jobs waiting in a number of runs. */
function looksPerJob(jobs: number, runs: number): number {
  const scheduler = new Scheduler({ cores: 2, ramMib: 1000, slots: 8 });
  const started: Ticket[] = [];
  for (let index = 0; index < jobs; index++) {
    const ticket: Ticket = {
      runId: `run ${index % runs}`,
      jobId: `job ${index}`,
      cores: 1 + (index % 2),
      ramMib: 100 + (index % 3),
      start: () => started.push(ticket),
    };
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
    const scheduler = new Scheduler({ cores: 1, ramMib: 100_000, slots: 1 });
    const started: Ticket[] = [];
    for (let index = 0; index < 10_000; index++) {
      const ticket: Ticket = {
        runId: "a",
        jobId: `${index}`,
        cores: 1,
        ramMib: 1000 + index,
        start: () => started.push(ticket),
      };
      scheduler.submit(ticket);
    }
    const before = scheduler.looks;
    for (let index = 0; index < 1000; index++) scheduler.release(started[index] ?? assert.fail("nothing runs"));
    const cost = (scheduler.looks - before) / 1000;
    assert.ok(cost < 120, `${cost} looks for each job`);
  });

  it("runs 10,000 jobs in their order and forgets them", () => {
    const scheduler = new Scheduler({ cores: 1, ramMib: 1000, slots: 1 });
    const order: number[] = [];
    const tickets = Array.from({ length: 10_000 }, (_, index): Ticket => ({
      runId: "a",
      jobId: `a${index}`,
      cores: 1,
      ramMib: 1,
      start: () => order.push(index),
    }));
    for (const ticket of tickets) scheduler.submit(ticket);
    for (const ticket of tickets) scheduler.release(ticket);
    assert.equal(order.length, 10_000);
    assert.ok(order.every((index, place) => index === place));
    assert.deepEqual(scheduler.usage, { cores: 0, ramMib: 0, running: 0, waiting: 0 });
  });
});
