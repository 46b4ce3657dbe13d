import assert from "node:assert/strict";
import { test } from "node:test";
import { reportedErrors } from "./reported-errors.ts";

const errors = (count: number) => Array.from({ length: count }, (_, index) => ({ code: "x", detail: String(index) }));
const detailsOf = (count: number) => reportedErrors(errors(count), 2).map(({ code, detail }) => `${code} ${detail}`);

test("the first problems are listed, and the rest are counted", () => {
  assert.deepEqual(detailsOf(0), []);
  assert.deepEqual(detailsOf(2), ["x 0", "x 1"]);
  assert.deepEqual(detailsOf(3), ["x 0", "x 1", "more-problems 1 more problem is not listed"]);
  assert.deepEqual(detailsOf(20_000), ["x 0", "x 1", "more-problems 19,998 more problems are not listed"]);
});

test("the count is a minimum if the check ended early", () => {
  const { detail } = reportedErrors(errors(1000), 100, { isComplete: false })[100] ?? {};
  assert.equal(detail, "at least 900 more problems are not listed");
});

test("a list that was shortened is not shortened again", () => {
  const once = reportedErrors(errors(20), 2);
  assert.deepEqual(reportedErrors(once, 2), once);
});
