import type { EventOf, EventType } from "../events/event.ts";
import { isFinal } from "../records/state-names.ts";
import type { RunState } from "../records/state.ts";

/** An event of a run that exists. */
export type RunChangeType = Exclude<Extract<EventType, `run.${string}`>, "run.created" | "run.imported">;

/** The part of an event that the fold reads. */
export type FoldedRunEvent = {
  readonly [Type in RunChangeType]: Pick<EventOf<Type>, "type" | "data">;
}[RunChangeType];

const NOT_BEGUN: ReadonlySet<RunState> = new Set(["QUEUED", "INITIALIZING"]);

/**
 * The only rule for the effect of an event on the state of its run; undefined if the event comes too late, so that the
 * log must refuse it. `hasBegun`: whether the run was RUNNING before; a paused run returns to its former state.
 */
export function foldRun(state: RunState, event: FoldedRunEvent, hasBegun: () => boolean): RunState | undefined {
  switch (event.type) {
    case "run.fetching":
      return whileOpen(state, state === "QUEUED" ? "INITIALIZING" : state);
    case "run.fetched":
    case "run.reattached":
    case "run.outputs":
      return whileOpen(state, state);
    case "run.started":
      return NOT_BEGUN.has(state) ? "RUNNING" : state === "PAUSED" ? state : undefined;
    case "run.paused":
      return NOT_BEGUN.has(state) || state === "RUNNING" ? "PAUSED" : undefined;
    case "run.resumed":
      return state !== "PAUSED" ? undefined : hasBegun() ? "RUNNING" : "QUEUED";
    case "run.canceling":
      return state === "CANCELING" ? undefined : whileOpen(state, "CANCELING");
    case "run.ended":
      return whileOpen(state, event.data.state);
    case "run.review-needed":
    case "run.compared":
    case "run.tested":
    case "run.measured":
    case "run.pruning":
    case "run.pruned":
      return isFinal(state) ? state : undefined;
    case "run.described":
    case "run.reviewed":
    case "run.steps":
    case "run.inputs":
      return state;
  }
}

function whileOpen(state: RunState, next: RunState): RunState | undefined {
  return isFinal(state) ? undefined : next;
}
