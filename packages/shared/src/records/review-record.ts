import { z } from "zod";
import { runIdSchema, timeSchema } from "./primitives.ts";
import { REVIEW_VERDICTS } from "./state-names.ts";

export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

const MAX_COMMENT = 1_000;

const reviewShape = {
  sample_id: z.string().min(1).max(500),
  verdict: z.enum(REVIEW_VERDICTS).nullable().meta({ description: "null: not reviewed" }),
  comment: z.string().max(MAX_COMMENT).meta({ description: "May be empty" }),
};

/** Part of an event; reviews of a sample replace earlier ones. */
export const recordedReviewSchema = z.object(reviewShape).meta({ id: "RecordedReview" });

/** The body of POST /api/runs/{run_id}/reviews. */
export const reviewSamplesSchema = z
  .strictObject({
    reviews: z
      .array(
        z.strictObject({
          ...reviewShape,
          comment: reviewShape.comment.optional().meta({ description: "Absent: empty" }),
        }),
      )
      .min(1)
      .max(1_000)
      .meta({ description: "Each replaces the earlier review of its sample" }),
  })
  .meta({ id: "ReviewSamples" });
export type ReviewSamples = z.infer<typeof reviewSamplesSchema>;

export const reviewSchema = z
  .object({
    ...reviewShape,
    reviewed_by: z.string().meta({ description: "Name of the account" }),
    reviewed_at: timeSchema,
  })
  .meta({ id: "Review" });
export type Review = z.infer<typeof reviewSchema>;

export const reviewListSchema = z
  .object({
    run_id: runIdSchema,
    reviews: z.array(reviewSchema).meta({ description: "By sample; samples without a review are absent" }),
    passed: z.int().min(0).meta({ description: "Number of samples that passed" }),
    failed: z.int().min(0).meta({ description: "Number of samples that failed" }),
    next_page_token: z.string().meta({ description: "Token of the next page; empty at the end" }),
  })
  .meta({ id: "ReviewList" });
export type ReviewList = z.infer<typeof reviewListSchema>;
