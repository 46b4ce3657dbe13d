import type { Reproduce } from "@weft/shared/records/comparison-record.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type {
  CreateRun,
  DescribedRuns,
  DescribeRun,
  DescribeRuns,
  RetryRun,
  Run,
} from "@weft/shared/records/run-record.ts";
import { api } from "./client.ts";
import { seen } from "./draft-queries.ts";

/** Starts a run. Sending an `idempotencyKey` twice starts only one run. Throws ApiError with the server's problem. */
export async function startRun(body: CreateRun, idempotencyKey: string): Promise<Run> {
  const answer = await api("POST /api/runs", { body, headers: { "idempotency-key": idempotencyKey } });
  if ("run_id" in answer) return answer;
  throw new Error("The server answered with a plan where a run was asked for");
}

interface DraftRevision {
  readonly draftId: string;
  readonly revision: number;
}

/** Starts a run of one revision of a draft. */
export async function startDraftRun(
  { draftId, revision }: DraftRevision,
  body: CreateRun,
  idempotencyKey: string,
): Promise<Run> {
  const headers = { "idempotency-key": idempotencyKey, ...seen(revision) };
  return api("POST /api/drafts/{draft_id}/runs", { params: { draft_id: draftId }, body, headers });
}

export async function planDraft({ draftId, revision }: DraftRevision, body: CreateRun): Promise<Plan> {
  return api("POST /api/drafts/{draft_id}/plans", { params: { draft_id: draftId }, body, headers: seen(revision) });
}

/** Plans the run without starting it. */
export async function planRun(body: CreateRun): Promise<Plan> {
  return api("POST /api/plans", { body });
}

/** Reproduces a run as recorded; the server compares the new run with the original when it finishes. */
export async function reproduceRun(runId: string, body: Reproduce): Promise<Run> {
  return api("POST /api/runs/{run_id}/reproduce", { params: { run_id: runId }, body });
}

/** Retries a finished run. Sending an `idempotencyKey` twice starts only one run. */
export async function retryRun(runId: string, body: RetryRun, idempotencyKey: string): Promise<Run> {
  const headers = { "idempotency-key": idempotencyKey };
  const answer = await api("POST /api/runs/{run_id}/retry", { params: { run_id: runId }, body, headers });
  if ("run_id" in answer) return answer;
  throw new Error("The server answered with a plan where a run was asked for");
}

/** Asks the server to stop every process of the run. Undefined: no process was left, because the run had ended. */
export function abortRun(runId: string) {
  return api("DELETE /api/runs/{run_id}", { params: { run_id: runId } });
}

/** Starts no more jobs of the run; running jobs continue. */
export async function pauseRun(runId: string): Promise<void> {
  await api("POST /api/runs/{run_id}/pause", { params: { run_id: runId } });
}

export async function resumeRun(runId: string): Promise<void> {
  await api("POST /api/runs/{run_id}/resume", { params: { run_id: runId } });
}

/** Archives, pins or tags many runs. */
export async function describeRuns(body: DescribeRuns): Promise<DescribedRuns> {
  return api("POST /api/runs/describe", { body });
}

/** Renames a run, or changes its note or tags. */
export async function describeRun(runId: string, body: DescribeRun): Promise<Run> {
  return api("POST /api/runs/{run_id}/describe", { params: { run_id: runId }, body });
}
