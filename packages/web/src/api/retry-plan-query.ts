import { queryOptions } from "@tanstack/react-query";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { RetryRun } from "@weft/shared/records/run-record.ts";
import { api } from "./client.ts";

/** What a retry would reuse and run, of the jobs known now; never cached. */
export function retryPlanQuery(runId: string, body: RetryRun) {
  return queryOptions({
    queryKey: ["retry-plan", runId, body] as const,
    queryFn: ({ signal }): Promise<Plan> => readPlan(runId, body, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

async function readPlan(runId: string, body: RetryRun, signal: AbortSignal): Promise<Plan> {
  const answer = await api("POST /api/runs/{run_id}/retry", {
    params: { run_id: runId },
    query: { dry_run: "true" },
    body,
    signal,
  });
  if ("jobs_shown_of" in answer) return answer;
  throw new Error("The server answered with a run where a plan was asked for");
}
