import type { EngineRuns } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { resultTasks } from "./result-tasks.ts";

interface ResultParts {
  readonly read: LogReader;
  readonly reads: ReadPool;
}

/** Results of runs. A run that the caller may not see is refused here, where it costs no thread. */
export function resultMethods({ read, reads }: ResultParts): RouteMethods {
  const { ask, text } = reads.of<typeof resultTasks>("results");
  const table = createTables({ read, reads });
  return {
    "GET /api/runs/{run_id}/outputs": async ({ caller, params: { run_id: runId } }) =>
      text(caller, "outputs", requireVisibleRun(read, runId, caller).runId),
    "GET /api/runs/{run_id}/results": async ({ caller, params: { run_id: runId }, query }) =>
      ask(caller, "results", requireVisibleRun(read, runId, caller).runId, query),
    "GET /api/runs/{run_id}/table/fields": ({ caller, params, query }) =>
      table(caller, [params.run_id, ...(query.with ?? [])], { what: "fields" }),
    "GET /api/runs/{run_id}/table": ({ caller, params, query }) => {
      const { fields, from = 0, page_size: size = 1_000 } = query;
      return table(caller, [params.run_id, ...(query.with ?? [])], { what: "page", fields, from, size });
    },
  };
}

export function createTables({ read, reads }: ResultParts): EngineRuns["table"] {
  const { text } = reads.of<typeof resultTasks>("results");
  return async (caller, runIds, question) => {
    const visible = runIds.map((runId) => requireVisibleRun(read, runId, caller).runId);
    return text(caller, "table", [...new Set(visible)], question);
  };
}
