import { requireVisibleRun } from "../access/visible-runs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Journal } from "../journal/journal.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import type { insightTasks } from "./insight-tasks.ts";

const MIB = 1024 * 1024;

interface InsightParts {
  readonly journal: Pick<Journal, "read" | "nowMs">;
  readonly catalog: Catalog;
  readonly scheduler: Scheduler;
  /** Reads data that grows with the number of jobs. */
  readonly reads: ReadPool;
}

/** Estimates from finished jobs. */
export function insightMethods({ journal, catalog, scheduler, reads }: InsightParts): RouteMethods {
  const { read } = journal;
  const { ask } = reads.of<typeof insightTasks>("insight");
  return {
    "GET /api/runs/{run_id}/forecast": async ({ caller, params: { run_id: runId } }) => {
      requireVisibleRun(read, runId, caller);
      const { cores, ramMib, slots, remote = 0 } = scheduler.capacity;
      const machine = { cores, ramBytes: ramMib * MIB, slots, remote, ...scheduler.competition(runId) };
      return ask(caller, "forecast", runId, journal.nowMs(), machine);
    },
    "GET /api/runs/{run_id}/sizing": async ({ caller, params: { run_id: runId } }) => {
      requireVisibleRun(read, runId, caller);
      return ask(caller, "sizeRun", runId);
    },
    "GET /api/tools/{id}/{version}/sizing": async ({ caller, params: { id, version } }) => {
      catalog.find("tool", id, version);
      return ask(caller, "sizeTool", id, version);
    },
  };
}
