import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import type { Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";
import { parseState, STATE_LOOKS } from "../../format/state-look.ts";
import { isObject } from "../../format/value-text.ts";

/**
 * Folds an event into a run as far as the event says it exactly: state, times and reason. Applying an event twice, or
 * one that the record already contains, changes nothing; counters come from the server. Answers the same object where
 * nothing changed.
 */
export function applyRunEvent<R extends RunSummary>(run: R, event: WeftEvent): R {
  if (event.run_id !== run.run_id) return run;
  switch (event.type) {
    case "run.fetching":
      return fetching(run, readReason(event.data["reason"]));
    case "run.fetched":
      return isFetching(run) ? { ...run, state_reason: null } : run;
    case "run.started":
      return advance(run, "RUNNING", { start_time: event.time, state_reason: null });
    case "run.canceling":
      return advance(run, "CANCELING", {});
    case "run.ended":
      return end(run, event);
    default:
      return run;
  }
}

/** How far the files of the web are. A run that goes on without a word of files has them: the event is an old one. */
function fetching<R extends RunSummary>(run: R, reason: StateReason | null): R {
  const isBefore = run.state === "QUEUED" || run.state === "INITIALIZING";
  if (!(isBefore || (run.state === "RUNNING" && isFetching(run)))) return run;
  if (run.state !== "QUEUED" && run.state_reason?.message === reason?.message) return run;
  return { ...run, state: isBefore ? "INITIALIZING" : run.state, state_reason: reason };
}

function isFetching({ state_reason }: RunSummary): boolean {
  return state_reason?.code === "STAGE_IN";
}

function advance<R extends RunSummary>(run: R, state: RunState, change: Partial<RunSummary>): R {
  if (STATE_LOOKS[run.state].rank >= STATE_LOOKS[state].rank) return run;
  return { ...run, ...change, state };
}

function end<R extends RunSummary>(run: R, event: WeftEvent): R {
  const state = parseState(event.data["state"]);
  if (state === undefined) return run;
  const startedMs = Date.parse(run.start_time ?? run.created_at);
  return advance(run, state, {
    end_time: event.time,
    duration_ms: Math.max(0, Date.parse(event.time) - startedMs),
    outcome: parseOutcome(event.data["outcome"]),
    state_reason: readReason(event.data["reason"]),
  });
}

function parseOutcome(value: unknown): Outcome | null {
  return (["success", "partial", "failure", "canceled"] as const).find((outcome) => outcome === value) ?? null;
}

/** The journal writes a StateReason or null here; what has no message is no reason. */
export function readReason(value: unknown): StateReason | null {
  return isObject(value) && typeof value["message"] === "string" ? (value as unknown as StateReason) : null;
}
