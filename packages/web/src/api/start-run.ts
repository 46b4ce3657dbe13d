import type { Reproduce } from "@weft/shared/records/comparison-record.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { CreateRun, RetryRun, Run } from "@weft/shared/records/run-record.ts";
import { api } from "./client.ts";

/** Starts a run. The same `idempotencyKey` sent twice starts one run only. Throws ApiError with the server's problem. */
export async function startRun(body: CreateRun, idempotencyKey: string): Promise<Run> {
  const answer = await api("POST /api/runs", { body, headers: { "idempotency-key": idempotencyKey } });
  if ("run_id" in answer) return answer;
  throw new Error("The server answered with a plan where a run was asked for");
}

/** What the run would do; starts nothing. */
export async function planRun(body: CreateRun): Promise<Plan> {
  const answer = await api("POST /api/runs", { query: { dry_run: "true" }, body });
  if ("jobs_shown_of" in answer) return answer;
  throw new Error("The server answered with a run where a plan was asked for");
}

/** Runs again what the log says that was run; the new run is compared with that one when it has ended. */
export async function reproduceRun(runId: string, body: Reproduce): Promise<Run> {
  return api("POST /api/runs/{run_id}/reproduce", { params: { run_id: runId }, body });
}

/** Starts a run that has ended once more. The same `idempotencyKey` sent twice starts one run only. */
export async function retryRun(runId: string, body: RetryRun, idempotencyKey: string): Promise<Run> {
  const headers = { "idempotency-key": idempotencyKey };
  const answer = await api("POST /api/runs/{run_id}/retry", { params: { run_id: runId }, body, headers });
  if ("run_id" in answer) return answer;
  throw new Error("The server answered with a plan where a run was asked for");
}

/** Asks the server to end every process of the run. */
export async function abortRun(runId: string): Promise<void> {
  await api("DELETE /api/runs/{run_id}", { params: { run_id: runId } });
}

/** No job of the run starts from now on; those that run go on. */
export async function pauseRun(runId: string): Promise<void> {
  await api("POST /api/runs/{run_id}/pause", { params: { run_id: runId } });
}

export async function resumeRun(runId: string): Promise<void> {
  await api("POST /api/runs/{run_id}/resume", { params: { run_id: runId } });
}
