import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

/** By the sequence number of the event in the server's log, or by its number in the run; neither: the newest event. */
export interface MomentPlace {
  readonly at?: number;
  readonly number?: number;
}

export const momentKey = (runId: string, place: MomentPlace) => ["run-moment", runId, place] as const;

/** A moment in the log of a run. The past does not change, so it is read once. */
export function momentQuery(runId: string, place: MomentPlace) {
  return queryOptions({
    queryKey: momentKey(runId, place),
    queryFn: ({ signal }) =>
      api("GET /api/runs/{run_id}/moment", { params: { run_id: runId }, query: { ...place }, signal }),
    staleTime: place.at === undefined ? 0 : Number.POSITIVE_INFINITY,
  });
}
