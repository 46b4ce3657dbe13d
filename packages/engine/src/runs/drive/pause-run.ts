import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RunStatus } from "@weft/shared/records/run-record.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller } from "../../port/caller.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import { presentStatus } from "../../present/present-run.ts";
import { requireChangeableRun, requireVisibleRun } from "../../access/visible-runs.ts";
import type { JobMachine } from "../../jobs/job-services.ts";
import type { RunLog } from "../../journal/run-log.ts";

export interface PauseRequest {
  readonly runId: string;
  readonly caller: Caller;
}

/** When this resolves, no more jobs of the run start; running jobs continue. Does nothing for a paused run. */
export async function pauseRun({ runId, caller }: PauseRequest, services: RunLog & JobMachine): Promise<RunStatus> {
  requireOpen({ runId, caller }, "paused", services);
  const message = `paused by ${caller.principal}: running jobs will finish, and no others start until the run is resumed`;
  const data = { reason: { code: "WAITING", message } } as const;
  await change({ type: "run.paused", run_id: runId, actor: caller.principal, data }, services);
  return statusOf({ runId, caller }, services);
}

/** Resumes a paused run; does nothing for any other run. */
export async function resumeRun({ runId, caller }: PauseRequest, services: RunLog & JobMachine): Promise<RunStatus> {
  requireOpen({ runId, caller }, "resumed", services);
  await change({ type: "run.resumed", run_id: runId, actor: caller.principal, data: {} }, services);
  return statusOf({ runId, caller }, services);
}

/** The log decides; the scheduler follows in log order. */
async function change(
  event: NewEvent & { readonly run_id: string },
  { journal, scheduler }: RunLog & JobMachine,
): Promise<void> {
  const [taken] = await journal.append([event]);
  if (taken === null) return;
  if (event.type === "run.paused") scheduler.pause(event.run_id);
  else scheduler.resume(event.run_id);
}

function requireOpen({ runId, caller }: PauseRequest, what: string, { journal }: RunLog & JobMachine): void {
  const { state } = requireChangeableRun(journal.read, runId, caller);
  if (!isFinal(state) && state !== "CANCELING") return;
  throw new Refusal("conflict", `The run ${runId} ${stateText(state)}: it cannot be ${what}.`);
}

function stateText(state: RunState): string {
  return state === "CANCELING" ? "is being aborted" : `has ended (${state})`;
}

function statusOf({ runId, caller }: PauseRequest, { journal: { read, nowMs } }: RunLog & JobMachine): RunStatus {
  return presentStatus(requireVisibleRun(read, runId, caller), nowMs());
}
