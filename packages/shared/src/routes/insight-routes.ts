import { forecastSchema, runSizingSchema, sizingSchema } from "../records/insight-record.ts";
import { routesOf, type RouteTable } from "./route.ts";

/** Estimates from earlier runs. */
export const insightRoutes = routesOf("runs", {
  "GET /api/runs/{run_id}/forecast": {
    operationId: "forecastRun",
    access: "viewer",
    summary: "Estimate when a run will finish",
    description:
      "Uses the finished jobs of the run and earlier runs of its network that you may see. Includes the uncertainty. Unknown values are null.",
    answers: { 200: { description: "The forecast", schema: forecastSchema } },
  },
  "GET /api/runs/{run_id}/sizing": {
    operationId: "sizeRun",
    access: "viewer",
    summary: "Compare requested and used resources by step",
    description: "Covers this run and earlier runs of its network that you may see.",
    answers: { 200: { description: "Resources by step", schema: runSizingSchema } },
  },
  "GET /api/tools/{id}/{version}/sizing": {
    operationId: "sizeTool",
    tag: "tools",
    access: "viewer",
    summary: "Compare requested and used resources of a tool",
    description: "Covers the latest 2,000 jobs of this version in runs that you may see.",
    answers: { 200: { description: "Resources", schema: sizingSchema } },
  },
} as const satisfies RouteTable);
