import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
import { runIdSchema, timeSchema } from "./primitives.ts";
import { REVIEW_VERDICTS } from "./state-names.ts";

export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

const MAX_COMMENT = 1_000;

const reviewShape = {
  sample_id: z.string().min(1).max(500),
  verdict: z.enum(REVIEW_VERDICTS).nullable().describe("null: not reviewed"),
  comment: z.string().max(MAX_COMMENT).describe("May be empty"),
};

/** Part of an event; reviews of a sample replace earlier ones. */
export const recordedReviewSchema = namedObject("RecordedReview", reviewShape);

/** The body of POST /api/runs/{run_id}/reviews. */
export const reviewSamplesSchema = namedStrictObject("ReviewSamples", {
  reviews: z
    .array(
      z.strictObject({
        ...reviewShape,
        comment: reviewShape.comment.optional().describe("Absent: empty"),
      }),
    )
    .min(1)
    .max(1_000)
    .describe("Each replaces the earlier review of its sample"),
});
export type ReviewSamples = z.infer<typeof reviewSamplesSchema>;

export const reviewSchema = namedObject("Review", {
  ...reviewShape,
  reviewed_by: z.string().describe("Name of the account"),
  reviewed_at: timeSchema,
});
export type Review = z.infer<typeof reviewSchema>;

export const reviewListSchema = namedObject("ReviewList", {
  run_id: runIdSchema,
  reviews: z.array(reviewSchema).describe("By sample; samples without a review are absent"),
  passed: z.int().min(0).describe("Number of samples that passed"),
  failed: z.int().min(0).describe("Number of samples that failed"),
  next_page_token: z.string().describe("Token of the next page; empty at the end"),
});
export type ReviewList = z.infer<typeof reviewListSchema>;
