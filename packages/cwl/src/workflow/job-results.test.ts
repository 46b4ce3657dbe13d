import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JobResults, StepOutputs } from "./job-results.ts";
import { JOBS_PER_PART } from "./result-list.ts";
import { jsonPacking } from "./testing/json-packing.ts";

const JOBS = 2 * JOBS_PER_PART + 1;
const flat = Array.from({ length: JOBS }, (_, job) => job);
const value = (job: number) => ({ number: job });

/** All jobs have ended, the last first; the second has no outputs. */
function resultsOf(packing = jsonPacking()): JobResults {
  const results = new JobResults(["one"], JOBS, packing);
  for (const job of flat.toReversed()) results.set(job, job === 1 ? undefined : { one: value(job), other: "long" });
  return results;
}
const expected = flat.map((job) => (job === 1 ? null : value(job)));

describe("JobResults", () => {
  it("has the values of the named outputs, regardless of the order in which jobs end", () => {
    const results = resultsOf();
    const found = flat.map((job) => results.value("one", job));
    assert.deepEqual(found, expected);
    assert.deepEqual([results.value("other", 0), results.value("one", JOBS)], [null, null]);
  });

  it("packs each part when its last job ends", () => {
    const packing = jsonPacking();
    resultsOf(packing);
    assert.deepEqual([packing.packed, packing.unpacked], [2, 0]);
  });

  it("grows with a loop, without packing", () => {
    const packing = jsonPacking();
    const results = new JobResults(["one"], 0, packing);
    for (const job of flat) results.set(job, { one: job });
    results.set(0, { one: "again" });
    const shown = [results.length, results.value("one", 0), results.value("one", JOBS - 1)];
    assert.deepEqual(shown, [JOBS, "again", JOBS - 1]);
    assert.equal(packing.packed, 0);
  });
});

describe("StepOutputs", () => {
  it("has lists that stay packed until a value is needed", async () => {
    const packing = jsonPacking();
    const outputs = new StepOutputs(["one"], resultsOf(packing), flat);
    assert.deepEqual([...(outputs.packedList("one") ?? [])], expected);
    assert.equal(packing.unpacked, 2);
    let turns = 0;
    await outputs.load("one", async () => void turns++);
    assert.deepEqual([outputs.value("one"), turns, outputs.packedList("one")], [expected, JOBS, undefined]);
    assert.deepEqual([outputs.value("one"), packing.unpacked], [expected, 4]);
  });

  it("has values in any shape, and unpacks each part once", () => {
    const packing = jsonPacking();
    const outputs = new StepOutputs(["one", "none"], resultsOf(packing), [flat.slice(0, 300), flat.slice(300)]);
    assert.equal(outputs.packedList("one"), undefined);
    assert.deepEqual(outputs.value("one"), [expected.slice(0, 300), expected.slice(300)]);
    assert.deepEqual([packing.unpacked, outputs.value("none")], [2, null]);
  });

  it("makes values of any shape available in turns", async () => {
    const packing = jsonPacking();
    const outputs = new StepOutputs(["one"], resultsOf(packing), [flat.slice(0, 300), flat.slice(300)]);
    let turns = 0;
    await outputs.load("one", async () => void turns++);
    assert.deepEqual([turns, packing.unpacked], [JOBS, 2]);
    assert.deepEqual(outputs.value("one"), [expected.slice(0, 300), expected.slice(300)]);
    assert.equal(packing.unpacked, 2);
  });

  it("detects that a packed list exceeds limits", () => {
    const list = new StepOutputs(["one"], resultsOf(), flat).packedList("one");
    const exceeded = (valueItems: number, valueDepth: number) => list?.exceeds({ valueItems, valueDepth });
    // One member for each job of the packed parts, one of which has none.
    const members = JOBS + 2 * JOBS_PER_PART - 1;
    const actual = [exceeded(members, 2), exceeded(members - 1, 2), exceeded(members, 1)];
    assert.deepEqual(actual, [undefined, "valueItems", "valueDepth"]);
  });
});
