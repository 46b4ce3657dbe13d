import assert from "node:assert/strict";
import { beforeEach, describe, it, type TestContext } from "node:test";
import type { Caller } from "@weft/engine/port/caller.ts";
import { createLinks } from "@weft/shared/links.ts";
import { EventLog } from "../../test/event-log.ts";
import { EventBatcher, type WrittenEvent } from "./event-batcher.ts";
import { EventSubscription } from "./event-subscription.ts";

const RUN = "run-1";
const ADMIN: Caller = { principal: "local", links: createLinks("http://weft.test"), othersRuns: "changeable" };

/** Keeps the events it gets; reports the queue size that the test sets. */
class RecordingSink {
  readonly numbers: number[] = [];
  readonly outcomes: string[] = [];
  batches = 0;
  queued = 0;
  readonly #first = Promise.withResolvers<void>();
  /** Resolves with the first events. */
  readonly received = this.#first.promise;
  /** Called by the test when everything sent has left. */
  sent: () => void = () => undefined;

  queuedBytes(): number {
    return this.queued;
  }
  send(events: readonly WrittenEvent[], sent: () => void): void {
    this.batches += 1;
    this.numbers.push(...events.map(({ event }) => event.seq));
    this.sent = sent;
    this.#first.resolve();
  }
  overflow(): void {
    this.outcomes.push("overflow");
  }
  fail(error: unknown): void {
    this.outcomes.push(String(error));
  }
}

let log: EventLog;
let sink: RecordingSink;

function subscribe(t: TestContext, caller = ADMIN): EventSubscription {
  t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
  const events = log.service;
  const batcher = new EventBatcher(events);
  const made = new EventSubscription({ events, batcher, sink, caller, runId: undefined, since: 0 });
  passTurns(t);
  return made;
}

/** Lets the event loop turn until the replay waits. */
function passTurns(t: TestContext): void {
  t.mock.timers.tick(0);
}

/** Appends events and lets the time pass in which a batch gathers. */
function appendLive(t: TestContext, count = 1): void {
  log.append(RUN, count);
  t.mock.timers.tick(50);
}

/** Acts when a page has been read, and before it is handed over. */
function afterPage(t: TestContext, act: () => void): void {
  const { service } = log;
  const page = service.page.bind(service);
  t.mock.method(service, "page", (...asked: Parameters<typeof page>) => {
    const found = page(...asked);
    act();
    return found;
  });
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe("a subscription", () => {
  beforeEach(() => {
    log = new EventLog();
    sink = new RecordingSink();
  });

  it("an event that a page had before it was announced arrives once", (t) => {
    const batch = log.store(RUN, 3);
    subscribe(t);
    log.announce(batch);
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, [1, 2, 3]);
  });

  it("events are gathered for 50 ms", (t) => {
    subscribe(t);
    for (let count = 0; count < 20; count += 1) log.append(RUN);
    assert.equal(sink.batches, 0);
    t.mock.timers.tick(50);
    assert.deepEqual([sink.batches, sink.numbers.length], [1, 20]);
  });

  it("the replay keeps the pace of the peer", (t) => {
    log.append(RUN, 1400);
    sink.queued = 300 * 1024;
    subscribe(t);
    assert.equal(sink.batches, 0);
    sink.queued = 0;
    sink.sent();
    passTurns(t);
    assert.equal(sink.batches, 0, "no event could be sent yet");
  });

  it("the replay continues when a page has been sent", (t) => {
    log.append(RUN, 1400);
    afterPage(t, () => {
      sink.queued = 300 * 1024;
    });
    subscribe(t);
    assert.deepEqual(sink.numbers, upTo(500));
    appendLive(t);
    assert.deepEqual(sink.numbers, upTo(500), "live events wait for their turn");
    for (let page = 0; page < 3; page += 1) {
      sink.queued = 0;
      sink.sent();
      passTurns(t);
    }
    assert.deepEqual(sink.numbers, upTo(1401));
  });

  it("the replay reads one page per turn, and none if it is replaced at once", async (t) => {
    log.append(RUN, 1400);
    const read = t.mock.method(log.service, "page");
    const batcher = new EventBatcher(log.service);
    const open = () =>
      new EventSubscription({ events: log.service, batcher, sink, caller: ADMIN, runId: undefined, since: 0 });
    for (let count = 0; count < 500; count += 1) open().stop();
    open();
    for (const pages of [0, 1, 2, 3]) {
      assert.equal(read.mock.callCount(), pages);
      // The turns follow each other.
      // eslint-disable-next-line no-await-in-loop
      await new Promise((resolve) => void setImmediate(resolve));
    }
  });

  it("a peer with more than 1 MiB unread is disconnected", (t) => {
    subscribe(t);
    sink.queued = 1024 * 1024 + 1;
    appendLive(t);
    sink.queued = 0;
    appendLive(t);
    assert.deepEqual([sink.outcomes, sink.numbers], [["overflow"], []]);
  });

  it("a store that cannot be read ends the subscription", (t) => {
    log.append(RUN);
    afterPage(t, () => {
      throw new Error("locked");
    });
    subscribe(t);
    assert.deepEqual(sink.outcomes, ["Error: locked"]);
  });

  it("nothing is sent after stop", (t) => {
    const subscription = subscribe(t);
    log.append(RUN);
    subscription.stop();
    t.mock.timers.tick(50);
    assert.deepEqual(sink.numbers, []);
  });

  it("empty pages are skipped until there is an event, and then the stream is live", async (t) => {
    // A page examines 10,000 events.
    const others = 10_001;
    log.append("run-2", others, { owner: "bob" });
    log.append(RUN, 1, { owner: "ann" });
    subscribe(t, { ...ADMIN, principal: "ann", othersRuns: "hidden" });
    await sink.received;
    assert.deepEqual(sink.numbers, [others + 1]);
    appendLive(t);
    assert.deepEqual(sink.numbers, [others + 1, others + 2]);
  });
});
