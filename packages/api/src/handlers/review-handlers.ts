import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type ReviewHandlers = Pick<Handlers, "GET /api/runs/{run_id}/reviews" | "POST /api/runs/{run_id}/reviews">;

/** Quality control of samples. */
export function createReviewHandlers({ engine: { reviews } }: ServerParts): ReviewHandlers {
  return {
    "GET /api/runs/{run_id}/reviews": ({ caller, params, query }) => ({
      status: 200,
      body: reviews.list(caller, params.run_id, query),
    }),
    "POST /api/runs/{run_id}/reviews": async ({ caller, params, body }) => ({
      status: 200,
      body: await reviews.review(caller, params.run_id, body),
    }),
  };
}
