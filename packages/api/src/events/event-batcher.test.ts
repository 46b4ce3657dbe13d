import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Caller } from "@weft/engine/port/engine.ts";
import { createLinks } from "@weft/shared/links.ts";
import { FakeEvents } from "../../test/fake-events.ts";
import { EventBatcher } from "./event-batcher.ts";

const MANY = 120;
const ANN: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "visible" };

/** A batcher that many listen to, and the numbers that each was handed. */
function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const events = new FakeEvents();
  const batcher = new EventBatcher(events);
  const seen = Array.from({ length: MANY }, (): number[] => []);
  const leave = seen.map((numbers) =>
    batcher.add((batch) => numbers.push(...batch.visibleTo(ANN).map(({ event }) => event.seq))),
  );
  const served = () => seen.filter(({ length }) => length > 0).length;
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await setImmediate();
  };
  return { events, batcher, seen, leave, served, until };
}

test("a batch goes to everyone, and the server comes to other things in between", async (t) => {
  const { events, served, until } = watched(t);
  events.append("run-1", 3);
  t.mock.timers.tick(50);
  const first = served();
  assert.ok(first > 0 && first < MANY, `${first} at once`);
  const steps: number[] = [];
  await until(() => steps.push(served()) > 0 && served() === MANY);
  assert.ok(steps.length > 2, `${steps.length} steps`);
});

test("what comes while a batch is handed out is the next batch: everyone gets all, once and in order", async (t) => {
  const { events, seen, served, until } = watched(t);
  events.append("run-1", 2);
  t.mock.timers.tick(50);
  assert.ok(served() < MANY);
  events.append("run-1", 2);
  t.mock.timers.tick(50);
  await until(() => served() === MANY);
  t.mock.timers.tick(50);
  await until(() => seen.every(({ length }) => length >= 4));
  assert.ok(seen.every((numbers) => numbers.join() === "1,2,3,4"));
});

test("who leaves while a batch is handed out gets nothing more", async (t) => {
  const { events, seen, leave, served, until } = watched(t);
  events.append("run-1", 1);
  t.mock.timers.tick(50);
  leave.at(-1)?.();
  await until(() => served() === MANY - 1);
  await setImmediate();
  assert.deepEqual(seen.at(-1), []);
});

test("a batcher that is closed hands out nothing more", async (t) => {
  const { events, batcher, served } = watched(t);
  events.append("run-1", 1);
  t.mock.timers.tick(50);
  const before = served();
  batcher.close();
  for (let turn = 0; turn < MANY; turn++) await setImmediate();
  assert.equal(served(), before);
});
