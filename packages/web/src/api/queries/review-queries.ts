import { queryOptions } from "@tanstack/react-query";
import type { Review } from "@weft/shared/records/review-record.ts";
import { api } from "../client.ts";
import { routeKey } from "../route-query.ts";

const PAGE_SIZE = 5000;

/** The last review of each sample, by sample. */
export type Reviews = ReadonlyMap<string, Review>;

export function reviewsQuery(runId: string) {
  return queryOptions({
    queryKey: routeKey("GET /api/runs/{run_id}/reviews", { params: { run_id: runId } }),
    queryFn: ({ signal }) => readReviews(runId, signal),
    structuralSharing: false,
  });
}

async function readReviews(runId: string, signal: AbortSignal): Promise<Reviews> {
  const found = new Map<string, Review>();
  let pageToken = "";
  do {
    // Each page names the next one.
    // eslint-disable-next-line no-await-in-loop
    const page = await api("GET /api/runs/{run_id}/reviews", {
      params: { run_id: runId },
      query: { page_size: PAGE_SIZE, page_token: pageToken },
      signal,
    });
    for (const review of page.reviews) found.set(review.sample_id, review);
    pageToken = page.next_page_token;
  } while (pageToken !== "");
  return found;
}
