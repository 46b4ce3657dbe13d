import { requireVisibleRun } from "../access/visible-runs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Journal } from "../journal/journal.ts";
import type { EngineInsight } from "../port/engine.ts";
import type { ProvenanceThreads } from "../provenance/thread/provenance-threads.ts";
import type { Scheduler } from "../schedule/scheduler.ts";

const MIB = 1024 * 1024;

export interface InsightServiceOptions {
  readonly journal: Pick<Journal, "read" | "nowMs">;
  readonly catalog: Catalog;
  readonly scheduler: Scheduler;
  /** Reads data that grows with the number of jobs. */
  readonly thread: Pick<ProvenanceThreads, "insight">;
}

/** Estimates from finished jobs. */
export function createInsightService({ journal, catalog, scheduler, thread }: InsightServiceOptions): EngineInsight {
  const { read } = journal;
  return {
    forecast: async (caller, runId) => {
      requireVisibleRun(read, runId, caller);
      const { cores, ramMib, slots, remote = 0 } = scheduler.capacity;
      const machine = { cores, ramBytes: ramMib * MIB, slots, remote, otherRuns: scheduler.otherRuns(runId) };
      return thread.insight<"forecast">(caller, { kind: "forecast", runId, nowMs: journal.nowMs(), machine });
    },
    sizeRun: async (caller, runId) => {
      requireVisibleRun(read, runId, caller);
      return thread.insight<"run-sizing">(caller, { kind: "run-sizing", runId });
    },
    sizeTool: async (caller, id, version) => {
      catalog.find("tool", id, version);
      return thread.insight<"tool-sizing">(caller, { kind: "tool-sizing", id, version });
    },
  };
}
