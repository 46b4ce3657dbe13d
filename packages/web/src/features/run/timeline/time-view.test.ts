import assert from "node:assert/strict";
import { test } from "node:test";
import { panView, parseSpan, spanText, timeTicks, wholeView, zoomRows, zoomTime } from "./time-view.ts";

const whole = wholeView({ fromMs: 1000, toMs: 11_000, rows: 100 });

test("zoomTime keeps the moment under the cursor and stays within the whole", () => {
  const closer = zoomTime(whole, whole, 3500, 4);
  assert.deepEqual(closer, { fromMs: 2875, toMs: 5375, top: 0, bottom: 100 });
  assert.equal((3500 - closer.fromMs) / (closer.toMs - closer.fromMs), 0.25);
  assert.deepEqual(zoomTime(closer, whole, 3500, 0.01), whole);
  const closest = zoomTime(whole, whole, 1000, 1e9);
  assert.deepEqual([closest.fromMs, closest.toMs], [1000, 1005]);
});

test("zoomRows and panView stop at the edges", () => {
  assert.deepEqual(zoomRows(whole, whole, 100, 10), { ...whole, top: 90, bottom: 100 });
  assert.deepEqual(panView(whole, whole, 500, -5), whole);
  const part = zoomTime(whole, whole, 1000, 2);
  assert.deepEqual(panView(part, whole, 9e9, 0), { ...whole, fromMs: 6000, toMs: 11_000 });
});

test("a run without duration has a view with a width", () => {
  assert.deepEqual(wholeView({ fromMs: 5, toMs: 5, rows: 0 }), { fromMs: 5, toMs: 1005, top: 0, bottom: 4 });
});

test("timeTicks are round and visible", () => {
  assert.deepEqual(timeTicks(whole, 1000, 5), [0, 2000, 4000, 6000, 8000, 10_000]);
  assert.deepEqual(timeTicks({ ...whole, fromMs: 4100, toMs: 4150 }, 1000, 5), [3100, 3110, 3120, 3130, 3140, 3150]);
  const week = { ...whole, toMs: 1000 + 7 * 864e5 };
  assert.ok(timeTicks(week, 1000, 4).every((tick) => tick % 864e5 === 0));
});

test("a span is written to the URL and read again", () => {
  assert.equal(spanText({ fromMs: 1200.4, toMs: 5399.6 }), "1200-5400");
  assert.deepEqual(parseSpan("1200-5400"), { fromMs: 1200, toMs: 5400 });
  assert.equal(spanText(undefined), "");
});

for (const text of ["", "5", "a-b", "9-9", "9-3", "-1-5", "1-2-3"])
  test(`shows the whole for "${text}", which is not a span`, () => {
    assert.equal(parseSpan(text), undefined);
  });
