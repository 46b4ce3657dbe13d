import type { EngineReviews, EngineRuns } from "@weft/engine/port/engine.ts";

const TIME = "2026-11-21T02:02:14.617Z";

/** Nobody has reviewed a sample; a new review is returned as it is. */
export function fakeReviews(runs: Pick<EngineRuns, "status" | "describe">): EngineReviews {
  const none = { reviews: [], passed: 0, failed: 0, next_page_token: "" };
  return {
    list: (caller, runId) => ({ ...none, run_id: runs.status(caller, runId).run_id }),
    review: async (caller, runId, body) => {
      const { run_id } = await runs.describe(caller, runId, {}); // refuses as the engine does
      const reviews = body.reviews.map(({ comment = "", ...review }) => ({
        ...review,
        comment,
        reviewed_by: caller.principal,
        reviewed_at: TIME,
      }));
      return { ...none, run_id, reviews };
    },
  };
}
