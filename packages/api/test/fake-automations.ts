import type { EngineAutomations } from "@weft/engine/port/engine.ts";
import type { Automation, AutomationPlan } from "@weft/shared/records/automation-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";

export const AUTOMATION_ID = "7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10";
const TIME = "2026-11-21T02:02:14.617Z";

const AUTOMATION: Automation = {
  ...{
    automation_id: AUTOMATION_ID,
    name: "Night",
    network: "imaging-cohort",
    owner: "ann",
    state: "active",
    reason: "",
  },
  ...{ trigger: { kind: "schedule", cron: "0 3 * * *", time_zone: "Europe/Berlin" }, mode: "new", settle_s: 60 },
  ...{ max_runs_per_day: 24, created_at: TIME, next_at: TIME, runs_started: 0, samples_started: 0, last_failure: "" },
};

const PLAN: AutomationPlan = {
  would_start: 0,
  blocked: "waits for its trigger",
  samples: [],
  samples_total: 0,
  next_at: TIME,
};

/** One automation that never starts anything. */
export function fakeAutomations(): EngineAutomations {
  return {
    list: () => ({ automations: [AUTOMATION] }),
    create: async () => AUTOMATION,
    discard: async (_, id) => requireKnown(id),
    planNew: async () => PLAN,
    plan: async (_, id) => {
      requireKnown(id);
      return PLAN;
    },
    history: (_, id) => {
      requireKnown(id);
      return { history: [] };
    },
    setActive: async (_, id, isActive) => {
      requireKnown(id);
      return { ...AUTOMATION, state: isActive ? "active" : "paused" };
    },
  };
}

function requireKnown(id: string): void {
  if (id !== AUTOMATION_ID) throw new Refusal("not-found", `There is no automation ${id}.`);
}
