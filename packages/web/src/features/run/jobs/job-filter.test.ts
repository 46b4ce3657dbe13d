import assert from "node:assert/strict";
import { test } from "node:test";
import { nextSort, parseJobFilter, sortOrder } from "./job-filter.ts";

/** The fields that the URL sets, without those that it leaves open. */
function parsed(query: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parseJobFilter(new URLSearchParams(query))).filter(([, value]) => value !== undefined),
  );
}

test("parseJobFilter reads the filters of the URL", () => {
  assert.deepEqual(parsed(""), {});
  assert.deepEqual(parsed("state=EXECUTOR_ERROR&step=a/b&q=sub&message=NIfTI&cache=hit&sort=-cpu_ms"), {
    ...{ state: "EXECUTOR_ERROR", step: "a/b", q: "sub", message: "NIfTI", cache: "hit", sort: "-cpu_ms" },
  });
  assert.deepEqual(parsed("ran-min=5m&ran-max=1h&memory-min=500&memory-max=2G"), {
    ...{ min_running_ms: 300_000, max_running_ms: 3_600_000, min_rss_bytes: 500 * 2 ** 20, max_rss_bytes: 2 * 2 ** 30 },
  });
  assert.deepEqual(parsed("state=ILL&cache=no&sort=--n&ran-min=soon&memory-max=-1"), {});
  assert.equal(parseJobFilter(new URLSearchParams(), "state").sort, "state");
  assert.equal(parseJobFilter(new URLSearchParams("sort=n"), "state").sort, "n");
  assert.equal(String(parsed(`q=${"x".repeat(500)}`)["q"]).length, 200);
});

test("a column is sorted one way, the other way, and not at all", () => {
  assert.equal(nextSort(undefined, "cpu_ms", true), "-cpu_ms");
  assert.equal(nextSort("-cpu_ms", "cpu_ms", true), "cpu_ms");
  assert.equal(nextSort("cpu_ms", "cpu_ms", true), "");
  assert.equal(nextSort("-cpu_ms", "step", false), "step");
  assert.equal(nextSort("step", "step", false), "-step");
  assert.deepEqual(sortOrder("-cpu_ms"), { key: "cpu_ms", descending: true });
  assert.deepEqual(sortOrder("n"), { key: "n", descending: false });
  assert.equal(sortOrder(undefined), undefined);
});
