import type { Caller, EngineInsight } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Sizing } from "@weft/shared/records/insight-record.ts";

const NOTHING_MEASURED: Sizing = {
  jobs: 0,
  runs: 0,
  requested: { cores: null, ram_bytes: null },
  used: { cores: null, ram_bytes: null, time_ms: null },
  memory_sources: [],
  out_of_memory_jobs: 0,
  suggestion: null,
};

/** Says that nothing has ever been measured. */
export function fakeInsight(requireRun: (caller: Caller, runId: string) => void): EngineInsight {
  return {
    forecast: async (caller, runId) => {
      requireRun(caller, runId);
      return { run_id: runId, as_of: "2026-11-21T02:02:14.617Z", left: null, unknown: null, runs_before: 0, steps: [] };
    },
    sizeRun: async (caller, runId) => {
      requireRun(caller, runId);
      return { run_id: runId, steps: [] };
    },
    sizeTool: async (_caller, id) => {
      if (id !== "smooth") throw new Refusal("tool-not-found", `There is no tool ${id}.`);
      return NOTHING_MEASURED;
    },
  };
}
