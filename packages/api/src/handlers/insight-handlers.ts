import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type InsightHandlers = Pick<
  Handlers,
  "GET /api/runs/{run_id}/forecast" | "GET /api/runs/{run_id}/sizing" | "GET /api/tools/{id}/{version}/sizing"
>;

/** Forecasts and suggested resources, from finished jobs. */
export function createInsightHandlers({ engine: { insight } }: ServerParts): InsightHandlers {
  return {
    "GET /api/runs/{run_id}/forecast": async ({ caller, params }) => ({
      status: 200,
      body: await insight.forecast(caller, params.run_id),
    }),
    "GET /api/runs/{run_id}/sizing": async ({ caller, params }) => ({
      status: 200,
      body: await insight.sizeRun(caller, params.run_id),
    }),
    "GET /api/tools/{id}/{version}/sizing": async ({ caller, params }) => ({
      status: 200,
      body: await insight.sizeTool(caller, params.id, params.version),
    }),
  };
}
