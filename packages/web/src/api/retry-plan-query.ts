import { queryOptions } from "@tanstack/react-query";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { RetryRun } from "@weft/shared/records/run-record.ts";
import { api } from "./client.ts";

/** The jobs that a retry would reuse and run, of those known now; never cached. */
export function retryPlanQuery(runId: string, body: RetryRun) {
  return queryOptions({
    queryKey: ["retry-plan", runId, body] as const,
    queryFn: ({ signal }): Promise<Plan> =>
      api("POST /api/runs/{run_id}/retry-plan", { params: { run_id: runId }, body, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
