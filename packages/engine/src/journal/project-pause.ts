import type { RunState, StateReason } from "@weft/shared/records/state.ts";
import type { RunTally } from "./run-tally.ts";
import type { Statements } from "./statements.ts";

interface Place {
  readonly sql: Statements;
  readonly tally: RunTally;
  readonly state: RunState;
}

const MAY_PAUSE: ReadonlySet<RunState> = new Set(["QUEUED", "INITIALIZING", "RUNNING"]);

/** False for a run that is already paused, is being aborted or has ended. */
export function pauseRun(runId: string, reason: StateReason, { sql, tally, state }: Place): boolean {
  if (!MAY_PAUSE.has(state)) return false;
  sql.run("UPDATE runs SET state = 'PAUSED', reason = ? WHERE run_id = ?", JSON.stringify(reason), runId);
  tally.setState(runId, "PAUSED");
  return true;
}

/** False for a run that is not paused. A run that had not begun returns to its former state. */
export function resumeRun(runId: string, { sql, tally, state }: Place): boolean {
  if (state !== "PAUSED") return false;
  const hasBegun = sql.get("SELECT 1 FROM runs WHERE run_id = ? AND started_ms IS NOT NULL", runId) !== undefined;
  const next = hasBegun ? "RUNNING" : "QUEUED";
  sql.run("UPDATE runs SET state = ?, reason = NULL WHERE run_id = ?", next, runId);
  tally.setState(runId, next);
  return true;
}
