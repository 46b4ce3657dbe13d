import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { JobResults } from "./job-results.ts";

const text = fc.constantFrom("a", "b", "same.txt");
const value = fc.oneof(
  { maxDepth: 2 },
  fc.constantFrom(null, 1, 2n ** 60n, true),
  text,
  fc.array(text, { maxLength: 3 }),
  fc.record(
    {
      class: fc.constant("File"),
      location: text,
      basename: text,
      secondaryFiles: fc.array(fc.record({ basename: text })),
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(fc.constantFrom("constructor", "__proto__", "x"), text),
);
/** JSON has no objects without a prototype, and the generators make some. */
const outputs = fc.option(
  fc.dictionary(fc.constantFrom("one", "two", "other"), value).map((made) => structuredClone(made) as CwlObject),
  { nil: undefined },
);

describe("JobResults", () => {
  it("has the values that it was given, in whatever order the jobs end", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(fc.nat(5), outputs), { selector: ([job]) => job }), (ends) => {
        const results = new JobResults(["one", "two"], 6);
        for (const [job, given] of ends) results.set(job, given);
        for (const output of ["one", "two"])
          for (let job = 0; job < 6; job++) {
            const given = ends.find(([ended]) => ended === job)?.[1];
            const expected: CwlValue = Object.hasOwn(given ?? {}, output) ? (given?.[output] ?? null) : null;
            assert.deepEqual(results.value(output, job), expected);
          }
      }),
    );
  });

  it("grows with a loop, and keeps only what the step names", () => {
    const results = new JobResults(["one"]);
    for (const job of [0, 1]) results.set(job, { one: job, other: "long" });
    assert.deepEqual([results.length, results.value("one", 1), results.value("other", 1)], [2, 1, null]);
  });
});
