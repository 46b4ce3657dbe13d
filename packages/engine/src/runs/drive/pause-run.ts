import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RunStatus } from "@weft/shared/records/run-record.ts";
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
export function pauseRun({ runId, caller }: PauseRequest, services: RunLog & JobMachine): Promise<RunStatus> {
  const message = `paused by ${caller.principal}: running jobs will finish, and no others start until the run is resumed`;
  const data = { reason: { code: "WAITING", message } } as const;
  return change({ runId, caller }, { type: "run.paused", run_id: runId, actor: caller.principal, data }, services);
}

/** Resumes a paused run; does nothing for any other run. */
export function resumeRun({ runId, caller }: PauseRequest, services: RunLog & JobMachine): Promise<RunStatus> {
  return change({ runId, caller }, { type: "run.resumed", run_id: runId, actor: caller.principal, data: {} }, services);
}

/** The log decides; the scheduler follows in log order. */
async function change(
  { runId, caller }: PauseRequest,
  event: Extract<NewEvent, { type: "run.paused" | "run.resumed" }>,
  { journal, scheduler }: RunLog & JobMachine,
): Promise<RunStatus> {
  const pauses = event.type === "run.paused";
  const { state } = requireChangeableRun(journal.read, runId, caller);
  if (isFinal(state) || state === "CANCELING") {
    const standing = state === "CANCELING" ? "is being aborted" : `has ended (${state})`;
    throw new Refusal("conflict", `The run ${runId} ${standing}: it cannot be ${pauses ? "paused" : "resumed"}.`);
  }
  const [taken] = await journal.append([event]);
  if (taken !== null) scheduler[pauses ? "pause" : "resume"](runId);
  return presentStatus(requireVisibleRun(journal.read, runId, caller), journal.nowMs());
}
