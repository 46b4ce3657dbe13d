import type { ReviewVerdict } from "@weft/shared/records/review-record.ts";
import type { TableRow } from "@weft/shared/records/table-record.ts";
import type { Reviews } from "../../../api/queries/review-queries.ts";

/** A sample with a place in the results of its run. */
export interface ReviewedSample {
  readonly name: string;
  /** Position in the lists of the run. */
  readonly index: number | null;
  /** Number of its row in the results. */
  readonly row: number;
}

export const REVIEW_FILTERS = [
  { id: "", label: "All samples" },
  { id: "none", label: "Not reviewed" },
  { id: "pass", label: "Passed" },
  { id: "fail", label: "Failed" },
] as const;
type ReviewFilter = (typeof REVIEW_FILTERS)[number]["id"];

/** The samples with results and names, in the order of the results. */
export function samplesToReview(
  rows: readonly Pick<TableRow, "sample_id" | "index">[],
  { firstSample, sampleCount }: { readonly firstSample: number; readonly sampleCount: number },
): readonly ReviewedSample[] {
  return rows
    .slice(0, sampleCount)
    .flatMap(({ sample_id, index }, at) =>
      sample_id === null ? [] : [{ name: sample_id, index, row: firstSample + at }],
    );
}

export function verdictOf(reviews: Reviews, name: string): ReviewVerdict | null {
  return reviews.get(name)?.verdict ?? null;
}

export function filterSamples(
  samples: readonly ReviewedSample[],
  reviews: Reviews,
  filter: ReviewFilter,
): readonly ReviewedSample[] {
  if (filter === "") return samples;
  const wanted = filter === "none" ? null : filter;
  return samples.filter(({ name }) => verdictOf(reviews, name) === wanted);
}

export function countReviews(samples: readonly ReviewedSample[], reviews: Reviews) {
  const count = (verdict: ReviewVerdict | null) =>
    samples.filter(({ name }) => verdictOf(reviews, name) === verdict).length;
  return { passed: count("pass"), failed: count("fail"), open: count(null) };
}
