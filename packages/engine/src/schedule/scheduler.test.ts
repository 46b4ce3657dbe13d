import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Scheduler } from "./scheduler.ts";
import type { Ticket } from "./scheduler.ts";

const machine = { cores: 4, ramMib: 1000, slots: 10 };

type Submit = (name: string, cores?: number, ramMib?: number) => void;

function recorded(scheduler: Scheduler) {
  const started: string[] = [];
  const tickets = new Map<string, Ticket>();
  const submit = (name: string, cores = 1, ramMib = 100) => {
    const ticket: Ticket = { runId: name.slice(0, 1), jobId: name, cores, ramMib, start: () => started.push(name) };
    tickets.set(name, ticket);
    scheduler.submit(ticket);
  };
  const release = (name: string) => {
    const ticket = tickets.get(name);
    assert.ok(ticket);
    scheduler.release(ticket);
  };
  return { started, submit, release };
}

describe("Scheduler", () => {
  it("starts jobs while cores last and goes on when one is released", () => {
    const scheduler = new Scheduler(machine);
    const { started, submit, release } = recorded(scheduler);
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) submit(name);
    assert.deepEqual(started, ["a1", "a2", "a3", "a4"]);
    assert.deepEqual(scheduler.usage, { cores: 4, ramMib: 400, running: 4, waiting: 1 });
    release("a2");
    assert.deepEqual(started.at(-1), "a5");
  });

  it("counts memory as well as cores", () => {
    const { started, submit, release } = recorded(new Scheduler(machine));
    submit("a1", 1, 600);
    submit("a2", 1, 600);
    assert.deepEqual(started, ["a1"]);
    release("a1");
    assert.deepEqual(started, ["a1", "a2"]);
  });

  it("fills the machine exactly with fractions of cores", () => {
    const scheduler = new Scheduler({ cores: 2, ramMib: 10_000, slots: 100 });
    const { started, submit } = recorded(scheduler);
    for (let index = 0; index < 25; index++) submit(`a${index}`, 0.1, 1);
    assert.equal(started.length, 20);
    assert.equal(scheduler.usage.cores, 2);
  });

  it("goes round the runs", () => {
    const { started, submit, release } = recorded(new Scheduler({ ...machine, cores: 1 }));
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) submit(name);
    for (let index = 0; index < 5; index++) release(started[index] ?? "");
    assert.deepEqual(started, ["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("passes over a run whose job does not fit yet", () => {
    const { started, submit } = recorded(new Scheduler(machine));
    submit("a1", 3);
    submit("b1", 3);
    submit("c1", 1);
    assert.deepEqual(started, ["a1", "c1"]);
  });

  it("gives a job that asks for more than there is the whole machine", () => {
    const { started, submit, release } = recorded(new Scheduler(machine));
    submit("a1");
    submit("b1", 64);
    assert.deepEqual(started, ["a1"]);
    release("a1");
    assert.deepEqual(started, ["a1", "b1"]);
  });

  it("bounds the parallel jobs of a run", () => {
    const scheduler = new Scheduler(machine);
    scheduler.limitRun("a", 2);
    const { started, submit } = recorded(scheduler);
    for (const name of ["a1", "a2", "a3", "b1"]) submit(name);
    assert.deepEqual(started, ["a1", "a2", "b1"]);
  });

  it("bounds them also after a time in which none of them waited or ran, until the run is forgotten", () => {
    const scheduler = new Scheduler(machine);
    scheduler.limitRun("a", 1);
    const { started, submit, release } = recorded(scheduler);
    submit("a1");
    release("a1");
    for (const name of ["a2", "a3"]) submit(name);
    assert.deepEqual(started, ["a1", "a2"]);
    for (const name of ["a2", "a3"]) release(name);
    scheduler.forgetRun("a");
    for (const name of ["a4", "a5"]) submit(name);
    assert.deepEqual(started, ["a1", "a2", "a3", "a4", "a5"]);
  });

  it("forgets what was withdrawn", () => {
    const scheduler = new Scheduler({ ...machine, cores: 1 });
    const { started, submit, release } = recorded(scheduler);
    for (const name of ["a1", "a2", "b1"]) submit(name);
    scheduler.withdraw("a");
    release("a1");
    assert.deepEqual(started, ["a1", "b1"]);
    release("b1");
    assert.deepEqual(scheduler.usage, { cores: 0, ramMib: 0, running: 0, waiting: 0 });
  });

  describe("says why a job waits", () => {
    const cases: readonly [
      string,
      { readonly machine?: typeof machine; readonly limit?: number },
      (at: Submit) => void,
      string,
    ][] = [
      ["cores", {}, (submit) => (submit("a1", 3), submit("a2", 2)), "waiting for 2 cores, 1 free"],
      [
        "memory",
        { machine: { ...machine, ramMib: 11 * 1024 } },
        (submit) => (submit("a1", 1, 8 * 1024), submit("a2", 1, 8 * 1024)),
        "waiting for 8 GiB of memory, 3 GiB free",
      ],
      [
        "both",
        {},
        (submit) => (submit("a1", 4, 600), submit("a2", 1, 500)),
        "waiting for 1 core, 0 free, and for 500 MiB of memory, 400 MiB free",
      ],
      [
        "slots",
        { machine: { ...machine, slots: 1 } },
        (submit) => (submit("a1"), submit("a2")),
        "waiting for a slot: 1 job runs",
      ],
      [
        "the run's own bound",
        { limit: 1 },
        (submit) => (submit("a1"), submit("a2")),
        "the run runs at most 1 job at a time",
      ],
      [
        "other runs",
        { machine: { ...machine, slots: 2 } },
        (submit) => (submit("b1"), submit("b2"), submit("a2")),
        "waits its turn behind other runs: waiting for a slot: 2 jobs run",
      ],
      [
        "jobs of its own run",
        {},
        (submit) => (submit("a0", 4), submit("a1", 2), submit("a2")),
        "waits behind a1 of its run (waiting for 2 cores, 0 free)",
      ],
    ];
    for (const [name, { machine: size = machine, limit }, fill, expected] of cases) {
      it(name, () => {
        const scheduler = new Scheduler(size);
        if (limit !== undefined) scheduler.limitRun("a", limit);
        fill(recorded(scheduler).submit);
        assert.equal(scheduler.whyWaiting("a", "a2"), expected);
      });
    }

    it("but not of one that has started, was withdrawn or is not known", () => {
      const scheduler = new Scheduler({ ...machine, slots: 1 });
      const { submit } = recorded(scheduler);
      for (const name of ["a1", "a2"]) submit(name);
      assert.deepEqual([scheduler.whyWaiting("a", "a1"), scheduler.whyWaiting("b", "a2")], [undefined, undefined]);
      scheduler.withdraw("a");
      assert.equal(scheduler.whyWaiting("a", "a2"), undefined);
    });
  });

  it("decides in time that does not grow with the number of waiting jobs", () => {
    const scheduler = new Scheduler({ cores: 1, ramMib: 1000, slots: 1 });
    const order: number[] = [];
    const tickets = Array.from({ length: 100_000 }, (_, index): Ticket => ({
      runId: "a",
      jobId: `a${index}`,
      cores: 1,
      ramMib: 1,
      start: () => order.push(index),
    }));
    for (const ticket of tickets) scheduler.submit(ticket);
    for (const ticket of tickets) scheduler.release(ticket);
    assert.equal(order.length, 100_000);
    assert.equal(order.at(-1), 99_999);
  });
});
