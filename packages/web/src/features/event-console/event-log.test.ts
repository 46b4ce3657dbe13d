import assert from "node:assert/strict";
import { test } from "node:test";
import { consoleReducer, EMPTY_CONSOLE, filterEntries, type ConsoleAction, type ConsoleState } from "./event-log.ts";

const time = "2026-11-21T00:00:00.000Z";

function received(text: string): ConsoleAction {
  return { kind: "message", direction: "received", text, time };
}

function after(...actions: readonly ConsoleAction[]): ConsoleState {
  return actions.reduce(consoleReducer, EMPTY_CONSOLE);
}

test("a frame with events becomes a line for each", () => {
  const { entries } = after(
    received('{"op":"hello","last_seq":3}'),
    received(
      '{"op":"events","events":[{"seq":4,"type":"run.started","time":"2026-11-21T00:00:01.000Z"},{"seq":5,"type":"job.queued"}]}',
    ),
    received("no json"),
  );
  const lines = entries.map(({ id, seq, type }) => `${id} ${seq} ${type}`);
  assert.deepEqual(lines, ["1 undefined hello", "2 4 run.started", "3 5 job.queued", "4 undefined received"]);
  assert.equal(entries[1]?.time, "2026-11-21T00:00:01.000Z");
});

test("pause retains new lines, and clear discards them", () => {
  const paused = after(received("1"), { kind: "pause" }, received("2"), received("3"));
  assert.deepEqual([paused.entries.length, paused.held.length], [1, 2]);
  const resumed = consoleReducer(paused, { kind: "pause" });
  const texts = resumed.entries.map(({ text }) => text);
  assert.deepEqual(texts, ["1", "2", "3"]);
  assert.equal(consoleReducer(resumed, { kind: "clear" }).entries.length, 0);
});

test("only the last ten thousand lines are kept", () => {
  const events = Array.from({ length: 10_005 }, (_, n) => ({ seq: n + 1, type: "job.running" }));
  const { entries, dropped } = after(received(JSON.stringify({ op: "events", events })));
  assert.deepEqual([entries.length, dropped, entries[0]?.seq], [10_000, 5, 6]);
});

test("filterEntries", () => {
  const { entries } = after(received('{"type":"run.started"}'), received('{"type":"job.ended","x":"Abc"}'));
  const cases: [string, number][] = [
    ["", 2],
    ["abc", 1],
    ["/^job\\./", 1],
    ["/(/", 0],
    ["nothing", 0],
  ];
  for (const [filter, count] of cases) assert.equal(filterEntries(entries, filter).length, count, filter);
});
