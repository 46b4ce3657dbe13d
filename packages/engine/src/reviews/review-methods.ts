import type { Review, ReviewList, ReviewSamples } from "@weft/shared/records/review-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { requireChangeableRun, requireVisibleRun } from "../access/visible-runs.ts";
import type { Journal } from "../journal/journal.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import { readReviews, type ReviewRow } from "./reviews-table.ts";
import type { RunRow } from "../journal/rows.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import { timeText } from "../present/present-time.ts";

const PAGE_SIZE = 1_000;

/** Verdicts on the samples of a run, with their reviewers. */
export function reviewMethods({ journal }: { readonly journal: Pick<Journal, "read" | "append"> }): RouteMethods {
  const { read } = journal;
  const reviews = readReviews(read);
  return {
    "GET /api/runs/{run_id}/reviews": ({ caller, params: { run_id: runId }, query }) => {
      const { page_size: size = PAGE_SIZE, page_token: token } = query;
      requireVisibleRun(read, runId, caller);
      const [after = ""] = decodeToken(token, ["string"]) ?? [];
      const rows = reviews.reviewsOf(runId, String(after), size + 1);
      const last = rows.length > size ? rows[size - 1] : undefined;
      const next = last === undefined ? "" : encodeToken([last.sampleId]);
      return listOf(runId, rows.slice(0, size), next);
    },
    "POST /api/runs/{run_id}/reviews": async ({ caller, params: { run_id: runId }, body: { reviews: given } }) => {
      const row = requireChangeableRun(read, runId, caller);
      refuseUnknownSamples(row, given, reviews);
      const data = { reviews: given.map(({ comment = "", ...review }) => ({ ...review, comment: comment.trim() })) };
      await journal.append([{ type: "run.reviewed", run_id: runId, actor: caller.principal, data }]);
      const names = [...new Set(given.map(({ sample_id }) => sample_id))];
      return listOf(
        runId,
        names.flatMap((name) => reviews.reviewOf(runId, name) ?? []),
        "",
      );
    },
  };

  function listOf(runId: string, rows: readonly ReviewRow[], next: string): ReviewList {
    return { run_id: runId, reviews: rows.map(presentReview), ...reviews.reviewCounts(runId), next_page_token: next };
  }
}

function presentReview({ sampleId, verdict, comment, reviewer, reviewedMs }: ReviewRow): Review {
  return { sample_id: sampleId, verdict, comment, reviewed_by: reviewer, reviewed_at: timeText(reviewedMs) };
}

const SHOWN_ERRORS = 20;

function refuseUnknownSamples(
  { runId, samples }: RunRow,
  reviews: ReviewSamples["reviews"],
  { hasSample }: Pick<ReturnType<typeof readReviews>, "hasSample">,
): void {
  const named = new Set(Object.values(samples).flat());
  const unknown = reviews.flatMap(({ sample_id }, at) =>
    named.has(sample_id) || hasSample(runId, sample_id) ? [] : [{ sample_id, at }],
  );
  const [first] = unknown;
  if (first === undefined) return;
  throw new Refusal("invalid-body", `The run has no sample "${first.sample_id}".`, {
    errors: unknown.slice(0, SHOWN_ERRORS).map(({ sample_id, at }) => ({
      pointer: `/reviews/${at}/sample_id`,
      code: "unknown-sample",
      detail: `the run has no sample "${sample_id}"; GET /api/runs/{run_id}/samples lists them`,
    })),
  });
}
