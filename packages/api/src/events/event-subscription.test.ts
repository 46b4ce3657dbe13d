import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Caller } from "@weft/engine/port/engine.ts";
import { createLinks } from "@weft/shared/links.ts";
import { FakeEvents } from "../../test/fake-events.ts";
import { EventBatcher } from "./event-batcher.ts";
import type { WrittenEvent } from "./event-batcher.ts";
import { EventSubscription } from "./event-subscription.ts";

const RUN = "run-1";
const ADMIN: Caller = { principal: "local", links: createLinks("http://weft.test"), othersRuns: "changeable" };

/** Keeps the events it gets; reports the queue size that the test sets. */
class RecordingSink {
  readonly numbers: number[] = [];
  readonly outcomes: string[] = [];
  batches = 0;
  queued = 0;
  /** Called by the test when what was sent has left. */
  sent: () => void = () => undefined;

  queuedBytes(): number {
    return this.queued;
  }
  send(events: readonly WrittenEvent[], sent: () => void): void {
    this.batches += 1;
    this.numbers.push(...events.map(({ event }) => event.seq));
    this.sent = sent;
  }
  overflow(): void {
    this.outcomes.push("overflow");
  }
  fail(error: unknown): void {
    this.outcomes.push(String(error));
  }
}

let events: FakeEvents;
let sink: RecordingSink;

function subscribe(
  t: TestContext,
  {
    runId,
    since = 0,
    caller = ADMIN,
  }: { readonly runId?: string; readonly since?: number; readonly caller?: Caller } = {},
): EventSubscription {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const batcher = new EventBatcher(events);
  return new EventSubscription({ events, batcher, sink, caller, runId, since });
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe("a subscription", () => {
  beforeEach(() => {
    events = new FakeEvents();
    sink = new RecordingSink();
  });

  it("what is stored comes first, then what is live", (t) => {
    events.append(RUN, 1200);
    subscribe(t);
    assert.deepEqual(sink.numbers, upTo(1200));
    events.append(RUN, 3);
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, upTo(1203));
  });

  it("only what comes after the given number is sent", (t) => {
    events.append(RUN, 10);
    subscribe(t, { since: 7 });
    assert.deepEqual(sink.numbers, [8, 9, 10]);
  });

  it("only events of the run are sent", (t) => {
    events.append("other", 2);
    events.append(RUN, 1);
    subscribe(t, { runId: RUN });
    events.append("other", 1);
    events.append(RUN, 1);
    events.append(null, 1);
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, [3, 5]);
  });

  it("events appended during the replay arrive once and in order", (t) => {
    events.append(RUN, 600);
    let rounds = 5;
    events.onPage = () => rounds-- > 0 && events.append(RUN, 100);
    subscribe(t);
    t.mock.timers.tick(50);
    events.append(RUN, 1);
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, upTo(1101));
  });

  it("an event that a page had before it was announced arrives once", (t) => {
    const batch = events.store(RUN, 3);
    subscribe(t);
    events.announce(batch);
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, [1, 2, 3]);
  });

  it("events are gathered for 50 ms", (t) => {
    subscribe(t);
    for (let count = 0; count < 20; count += 1) events.append(RUN);
    assert.equal(sink.batches, 0);
    t.mock.timers.tick(50);
    assert.deepEqual([sink.batches, sink.numbers.length], [1, 20]);
  });

  it("the replay keeps the pace of the peer", (t) => {
    events.append(RUN, 1400);
    sink.queued = 300 * 1024;
    subscribe(t);
    assert.equal(sink.batches, 0);
    sink.queued = 0;
    sink.sent();
    assert.equal(sink.batches, 0, "nothing was on its way that could have left");
  });

  it("the replay goes on when a page has left", (t) => {
    events.append(RUN, 1400);
    events.onPage = () => {
      sink.queued = 300 * 1024;
    };
    subscribe(t);
    assert.deepEqual(sink.numbers, upTo(500));
    events.append(RUN, 1);
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, upTo(500), "live events wait for their turn");
    for (let page = 0; page < 3; page += 1) {
      sink.queued = 0;
      sink.sent();
    }
    assert.deepEqual(sink.numbers, upTo(1401));
  });

  it("a peer with more than 1 MiB unread is given up", (t) => {
    subscribe(t);
    sink.queued = 1024 * 1024 + 1;
    events.append(RUN);
    t.mock.timers.tick(50);
    sink.queued = 0;
    events.append(RUN);
    t.mock.timers.tick(50);
    assert.deepEqual([sink.outcomes, sink.numbers], [["overflow"], []]);
  });

  it("a store that cannot be read ends the subscription", (t) => {
    events.append(RUN);
    events.onPage = () => {
      throw new Error("locked");
    };
    subscribe(t);
    assert.deepEqual(sink.outcomes, ["Error: locked"]);
  });

  it("nothing is sent after stop", (t) => {
    const subscription = subscribe(t);
    events.append(RUN);
    subscription.stop();
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, []);
  });

  it("from whom runs of others are hidden gets events of own runs and of none, stored and live", (t) => {
    events.owners.set(RUN, "ann").set("run-2", "bob");
    events.append("run-2", 2);
    events.append(RUN, 1);
    events.append(null, 1);
    subscribe(t, { caller: { ...ADMIN, principal: "ann", othersRuns: "hidden" } });
    assert.deepEqual(sink.numbers, [3, 4]);
    events.append("run-2", 1);
    events.append(RUN, 1);
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, [3, 4, 6]);
  });

  it("pages without anything to see are gone through until there is something, then it goes live", async (t) => {
    events.owners.set(RUN, "ann").set("run-2", "bob");
    events.append("run-2", 30);
    events.append(RUN, 1);
    events.scanned = 10;
    subscribe(t, { caller: { ...ADMIN, principal: "ann", othersRuns: "hidden" } });
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    assert.deepEqual(sink.numbers, [31]);
    events.append(RUN, 1);
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, [31, 32]);
  });
});
