import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Caller } from "@weft/engine/port/caller.ts";
import { createLinks } from "@weft/shared/links.ts";
import { EventLog } from "../../test/event-log.ts";
import { EventBatcher } from "./event-batcher.ts";

const MANY = 120;
const ANN: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "visible" };

/** A batcher with many listeners, the numbers that each received, and how many turns of the event loop that took. */
function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const log = new EventLog();
  const batcher = new EventBatcher(log.service);
  const seen = Array.from({ length: MANY }, (): number[] => []);
  const heard = Promise.withResolvers<void>();
  const turns = { count: 0, isCounted: false, heard };
  const leave = seen.map((numbers) =>
    batcher.add((batch) => {
      numbers.push(...batch.visibleTo(ANN).map(({ event }) => event.seq));
      countTurn();
      turns.heard.resolve();
      turns.heard = Promise.withResolvers();
    }),
  );
  const countTurn = () => {
    if (turns.isCounted) return;
    turns.isCounted = true;
    turns.count += 1;
    setImmediate(() => (turns.isCounted = false));
  };
  const served = () => seen.filter(({ length }) => length > 0).length;
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await turns.heard.promise;
  };
  const send = (count: number) => {
    log.append("run-1", count);
    t.mock.timers.tick(50);
  };
  return { send, batcher, seen, leave, served, until, turns };
}

test("a batch is sent to all listeners over several turns of the event loop", async (t) => {
  const { send, served, until, turns } = watched(t);
  send(3);
  const first = served();
  assert.ok(first > 0 && first < MANY, `${first} at once`);
  await until(() => served() === MANY);
  assert.ok(turns.count > 2, `${turns.count} turns`);
});

test("events that arrive while a batch is handed out are the next batch: each listener gets all, once and in order", async (t) => {
  const { send, seen, served, until } = watched(t);
  send(2);
  assert.ok(served() < MANY);
  send(2);
  await until(() => served() === MANY);
  t.mock.timers.tick(50);
  await until(() => seen.every(({ length }) => length >= 4));
  assert.ok(seen.every((numbers) => numbers.join() === "1,2,3,4"));
});

test("a listener that unsubscribes during a batch gets no more events", async (t) => {
  const { send, seen, leave, until } = watched(t);
  send(1);
  leave.at(-1)?.();
  await until(() => seen.filter(({ length }) => length > 0).length === MANY - 1);
  send(1);
  await until(() => seen.slice(0, -1).every(({ length }) => length === 2));
  assert.deepEqual(seen.at(-1), []);
});

test("a closed batcher sends no more events", async (t) => {
  const { send, batcher, served } = watched(t);
  send(1);
  const before = served();
  batcher.close();
  // More turns than a whole batch takes.
  for (let turn = 0; turn < MANY; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(served(), before);
});

test("the time since the last event starts again with each event, also without listeners", (t) => {
  let nowMs = 1000;
  t.mock.method(performance, "now", () => nowMs);
  const log = new EventLog();
  const batcher = new EventBatcher(log.service);
  nowMs += 700;
  assert.equal(batcher.quietMs(), 700);
  log.append("run-1", 1);
  nowMs += 20;
  assert.equal(batcher.quietMs(), 20);
});
