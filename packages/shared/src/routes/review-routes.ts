import { z } from "zod";
import { runIdSchema } from "../records/primitives.ts";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { reviewListSchema, reviewSamplesSchema } from "../records/review-record.ts";
import { routesOf, type RouteTable } from "./route.ts";

const params = z.object({ run_id: runIdSchema });

/** Verdicts on the samples of a run. */
export const reviewRoutes = routesOf("runs", {
  "GET /api/runs/{run_id}/reviews": {
    operationId: "listReviews",
    access: "viewer",
    summary: "List the reviews of the samples of a run",
    params,
    query: z.object({
      page_size: z.coerce.number().int().min(1).max(5000).optional().describe("Absent: 1,000"),
      page_token: z
        .string()
        .max(4096)
        .optional()
        .describe("`next_page_token` of the previous page; empty or absent: first page"),
    }),
    answers: { 200: { description: "A page of reviews", schema: reviewListSchema } },
    problems: ["run-not-found"],
  },
  "POST /api/runs/{run_id}/reviews": {
    operationId: "reviewSamples",
    access: "runner",
    onlyOwnRuns: true,
    summary: "Mark samples of a run as passed or failed",
    description: "Replaces earlier reviews of these samples. The log keeps every review, with its author and time.",
    params,
    body: reviewSamplesSchema,
    answers: { 200: { description: "The new reviews, and the totals of the run", schema: reviewListSchema } },
    problems: ["run-not-found", ...STORAGE_PROBLEMS],
  },
} as const satisfies RouteTable);
