import type { Decisions } from "../machine/decisions.ts";
import type { FaultRates, Focus } from "./faults.ts";
import type { Outage, PlannedEnd, PlannedRun, WorldPlan } from "./plan.ts";

/** A situation that needs more coincidences than chance brings about. Everything that it leaves open is drawn as usual. */
export interface Stage {
  readonly focus: Focus;
  readonly rates: Partial<FaultRates>;
  /** Overrides what the plan draws for the first run. */
  readonly run: Partial<PlannedRun>;
  /** Overrides how the first life of the server ends. */
  readonly end: Partial<PlannedEnd>;
  readonly tesDown?: Outage;
  readonly capacity?: WorldPlan["capacity"];
}

/** One world of so many has a stage. */
const STAGED = 25;

export function drawStage(decisions: Decisions): Stage | undefined {
  if (decisions.fraction("stage") >= 1 / STAGED) return undefined;
  return decisions.pick("stage.which", [failsWhileOthersRun, abortsWithoutTes])(decisions);
}

/** A job fails for good; those that run may finish, and the server is killed before they do. */
function failsWhileOthersRun(decisions: Decisions): Stage {
  return {
    focus: "host",
    rates: { kill: 1, fails: 0.3 },
    run: {
      network: "nested",
      sink: undefined,
      texts: ["red", "green", "blue", "grey"].slice(0, decisions.between("stage.texts", 3, 4)),
      options: { on_failure: "finish_running" },
      abortAtMs: undefined,
      pause: undefined,
      cores: 1,
      ram: 100,
      limit: 0,
    },
    end: { when: "failure" },
    capacity: { cores: 4, ramMib: 4000, slots: 8, remote: 1 },
  };
}

/** A run is aborted while nobody reaches the TES server, and the server is killed then. */
function abortsWithoutTes(decisions: Decisions): Stage {
  const atMs = decisions.between("stage.abort-at", 2000, 12_000);
  return {
    focus: "tes",
    rates: { kill: 1 },
    run: { network: "tasks", sink: undefined, atMs: 0, abortAtMs: atMs, limit: 0, options: {} },
    end: { when: "run.canceling" },
    tesDown: { atMs, forMs: decisions.between("stage.down-for", 1000, 30_000) },
  };
}
