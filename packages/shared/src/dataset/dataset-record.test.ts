import assert from "node:assert/strict";
import { test } from "node:test";
import { datasetOfNewRunSchema, type QueriedSample, type QueryResult } from "../records/dataset-record.ts";
import { compareResults } from "./compare-results.ts";
import { NOT_CHOSEN, narrowResult, STARTED_BEFORE } from "./narrow-result.ts";
import { fieldsPerSample, sampleFields } from "./sample-fields.ts";

const NO_TABLES = { participants: new Map(), sessions: new Map() };
const file = (path: string, fields: Readonly<Record<string, string>>) => ({ file: { path, fields }, secondary: [] });

test("fields of a sample are the entities that its files share, then the columns of tables", () => {
  const columns = {
    anat: file("a", { sub: "01", ses: "1", acq: "mp2", suffix: "T1w", extension: ".nii", datatype: "anat" }),
    runs: [file("b", { sub: "01", ses: "1", suffix: "bold" }), file("c", { sub: "01", ses: "1", suffix: "bold" })],
    other: "text",
  };
  const tables = {
    participants: new Map([["01", { participant_id: "sub-01", age: "61.5", site: "007", sub: "x", group: "NaN" }]]),
    sessions: new Map([["01/1", { session_id: "ses-1", age: "99", score: "-2e3", ["n".repeat(101)]: "1" }]]),
  };
  const all = { sub: "01", ses: "1", acq: "mp2", age: 61.5, site: "007", score: -2000 };
  assert.deepEqual(sampleFields(columns, tables, 50), all);
  assert.deepEqual(Object.keys(sampleFields(columns, tables, 2)), ["sub", "ses"]);
  const long = { anat: file("a", { sub: "1".repeat(201), __proto__: "x" }) };
  assert.deepEqual(sampleFields(long, NO_TABLES, 50), {});
});

test("large results have fewer fields per sample", () => {
  assert.deepEqual([0, 1, 5000, 20_000].map(fieldsPerSample), [50, 50, 50, 20]);
});

const sample = (name: string, version = 1): QueriedSample => ({
  name,
  columns: { image: { class: "File", location: `weft-data://s/${name}`, secondaryFiles: [{ location: "x" }] } },
  bytes: version,
});
const result = (samples: QueriedSample[], leftOut: Readonly<Record<string, string>> = {}): QueryResult => ({
  location: "weft-data://s/",
  samples,
  left_out: Object.entries(leftOut).map(([name, reason]) => ({ kind: "sample" as const, name, reason })),
  samples_left_out: Object.keys(leftOut).length,
  files_left_out: 0,
  files_used: samples.length,
});

test("a narrowed result gives the reason for omitted samples", () => {
  const whole = result([sample("a"), sample("b")], { c: "no age" });
  assert.equal(
    narrowResult(whole, () => undefined),
    whole,
  );
  assert.deepEqual(
    narrowResult(whole, ({ name }) => (name === "a" ? NOT_CHOSEN : undefined)),
    {
      ...result([sample("b")], { a: NOT_CHOSEN, c: "no age" }),
      files_used: 2,
    },
  );
});

test("results are compared by sample: new, changed and gone", () => {
  const then = result([sample("a"), sample("b"), sample("c")], { d: "no age", e: STARTED_BEFORE });
  const now = result([sample("a"), sample("b", 2), sample("d"), sample("e"), sample("f")], { c: "no file" });
  assert.deepEqual(compareResults(then, now), [
    { name: "d", kind: "new", reason: "no age" },
    { name: "f", kind: "new", reason: "" },
    { name: "b", kind: "changed", reason: "" },
    { name: "c", kind: "gone", reason: "no file" },
  ]);
  assert.deepEqual(compareResults(now, now), []);
});

test("a run names one query, or an earlier run without samples", () => {
  const run_id = "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f";
  const query_id = "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11";
  const isValid = (value: unknown) => datasetOfNewRunSchema.safeParse(value).success;
  for (const good of [{ run_id }, { query_id }, { query_id, samples: ["a"] }]) assert.ok(isValid(good));
  for (const bad of [
    {},
    { run_id, query_id },
    { run_id, samples: ["a"] },
    { query_id, samples: [] },
    { run_id: "../x" },
  ])
    assert.ok(!isValid(bad), JSON.stringify(bad));
});
