import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReviewSamples, ReviewVerdict } from "@weft/shared/records/review-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { api } from "../../../api/client.ts";
import { reviewsQuery, type Reviews } from "../../../api/queries/review-queries.ts";
import { showError } from "../../../ui/toast.tsx";

type NewReview = ReviewSamples["reviews"][number];

export type Mark = (sample: string, verdict: ReviewVerdict | null, comment?: string) => void;

/** Records reviews; the page shows them at once, and takes them back if the server refuses. */
export function useMarking(run: Run): Mark {
  const cache = useQueryClient();
  const { queryKey } = reviewsQuery(run.run_id);
  const { mutate } = useMutation({
    mutationFn: (review: NewReview) =>
      api("POST /api/runs/{run_id}/reviews", { params: { run_id: run.run_id }, body: { reviews: [review] } }),
    onMutate: async (review) => {
      await cache.cancelQueries({ queryKey });
      cache.setQueryData(queryKey, (before: Reviews | undefined) => withReview(before, review));
    },
    onSuccess: ({ reviews }) =>
      cache.setQueryData(queryKey, (before: Reviews | undefined) => {
        const next = new Map(before);
        for (const review of reviews) next.set(review.sample_id, review);
        return next;
      }),
    onError: (error, { sample_id, comment = "" }) => {
      const typed = comment === "" ? "" : ` (the comment was: ${comment})`;
      showError(`The review of ${sample_id} was not saved${typed}: ${error.message}`);
      void cache.invalidateQueries({ queryKey });
    },
  });
  return (sample, verdict, comment) => {
    const before = cache.getQueryData<Reviews>(queryKey)?.get(sample);
    mutate({ sample_id: sample, verdict, comment: comment ?? before?.comment ?? "" });
  };
}

function withReview(before: Reviews | undefined, { sample_id, verdict, comment = "" }: NewReview): Reviews {
  const next = new Map(before);
  if (verdict === null && comment === "") next.delete(sample_id);
  else next.set(sample_id, { sample_id, verdict, comment, reviewed_by: "", reviewed_at: "" });
  return next;
}
