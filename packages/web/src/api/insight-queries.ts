import { queryOptions } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { api } from "./client.ts";

const FORECAST_REFETCH_MS = 10_000;

/** Time left of a run; refreshed while it is open. */
export function forecastQuery({ run_id: runId, end_time: endTime }: Pick<Run, "run_id" | "end_time">) {
  return queryOptions({
    queryKey: ["forecast", runId] as const,
    queryFn: ({ signal }) => api("GET /api/runs/{run_id}/forecast", { params: { run_id: runId }, signal }),
    enabled: endTime === null,
    refetchInterval: FORECAST_REFETCH_MS,
    // An estimate for another run, or for this run before a pause, does not apply.
    staleTime: FORECAST_REFETCH_MS,
  });
}

/** Requested and used resources of the steps of a run, in this run and earlier ones. */
export function runSizingQuery(runId: string) {
  return queryOptions({
    queryKey: ["sizing", "run", runId] as const,
    queryFn: ({ signal }) => api("GET /api/runs/{run_id}/sizing", { params: { run_id: runId }, signal }),
    staleTime: 60_000,
  });
}

export function toolSizingQuery(id: string, version: string) {
  return queryOptions({
    queryKey: ["sizing", "tool", id, version] as const,
    queryFn: ({ signal }) => api("GET /api/tools/{id}/{version}/sizing", { params: { id, version }, signal }),
    staleTime: 60_000,
  });
}
