import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Reviews } from "../../../api/queries/review-queries.ts";
import { countReviews, filterSamples, samplesToReview } from "./review-samples.ts";

const review = (sample_id: string, verdict: "pass" | "fail" | null) => {
  return { sample_id, verdict, comment: "", reviewed_by: "ann", reviewed_at: "2026-11-21T02:02:14.617Z" };
};
const rows = ["s1", "s2", null, "s3", "extra"].map((sample_id, index) => ({ sample_id, index }));
const samples = samplesToReview(rows, { firstSample: 2, sampleCount: 4 });
const reviews: Reviews = new Map(
  [review("s1", "pass"), review("s2", "fail"), review("s3", null)].map((one) => [one.sample_id, one]),
);

describe("samples to review", () => {
  it("have a name and results, and the rows of these results", () => {
    const lines = samples.map(({ name, row }) => `${name} ${row}`);
    assert.deepEqual(lines, ["s1 2", "s2 3", "s3 5"]);
  });
  it("are filtered by verdict", () => {
    const shown = (filter: Parameters<typeof filterSamples>[2]) =>
      filterSamples(samples, reviews, filter).map(({ name }) => name);
    assert.deepEqual(shown(""), ["s1", "s2", "s3"]);
    assert.deepEqual([shown("none"), shown("pass"), shown("fail")], [["s3"], ["s1"], ["s2"]]);
  });
  it("are counted", () => assert.deepEqual(countReviews(samples, reviews), { passed: 1, failed: 1, open: 1 }));
});
