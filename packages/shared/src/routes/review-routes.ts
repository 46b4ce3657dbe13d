import { z } from "zod";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { reviewListSchema, reviewSamplesSchema } from "../records/review-record.ts";
import { pageTokenQuery, wholeQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

/** Verdicts on the samples of a run. */
export const reviewRoutes = routesOf("runs", {
  "GET /api/runs/{run_id}/reviews": {
    operationId: "listReviews",
    access: "viewer",
    summary: "List the reviews of the samples of a run",
    query: z.object({
      page_size: wholeQuery(1, 5000, "Absent: 1,000"),
      page_token: pageTokenQuery(4096),
    }),
    answers: { 200: { description: "A page of reviews", schema: reviewListSchema } },
  },
  "POST /api/runs/{run_id}/reviews": {
    operationId: "reviewSamples",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Mark samples of a run as passed or failed",
    description: "Replaces earlier reviews of these samples. The log keeps every review, with its author and time.",
    body: reviewSamplesSchema,
    answers: { 200: { description: "The new reviews, and the totals of the run", schema: reviewListSchema } },
    problems: STORAGE_PROBLEMS,
  },
} as const satisfies RouteTable);
