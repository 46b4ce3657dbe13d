import { z } from "zod";
import { backendListSchema, diskUsageSchema, loadSchema, queueSchema } from "../records/operations-record.ts";
import { machineReportSchema } from "../records/machine-record.ts";
import { catalogIdSchema } from "../records/primitives.ts";
import { pageQueryShape, wholeQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

/** Views for operators of a server. */
export const operationsRoutes = routesOf("server", {
  "GET /api/server/queue": {
    operationId: "getQueue",
    access: "viewer",
    summary: "List why jobs wait, by run",
    description: "Orders runs by priority, then age. For the jobs, use `/api/runs/{run_id}/jobs?state=QUEUED`.",
    query: z.object(pageQueryShape),
    answers: { 200: { description: "A page of runs", schema: queueSchema } },
  },
  "GET /api/server/load": {
    operationId: "getLoad",
    access: "viewer",
    summary: "Get cores, memory and jobs of the last hours",
    description: "Job counts come from the log and include earlier servers; machine use starts with this server.",
    query: z.object({
      hours: wholeQuery(1, 24, "Absent: 6"),
    }),
    answers: { 200: { description: "120 intervals, the oldest first", schema: loadSchema } },
  },
  "GET /api/server/backends": {
    operationId: "listBackends",
    access: "viewer",
    summary: "List the backends",
    answers: { 200: { description: "This machine first", schema: backendListSchema } },
  },
  "GET /api/server/disk": {
    operationId: "getDiskUsage",
    access: "viewer",
    summary: "Get disk use of finished runs, by network and run",
    description: "Covers the runs that you may see. Admins delete files with `POST /api/prune`.",
    query: z.object({
      ...pageQueryShape,
      process: catalogIdSchema.optional().describe("Only runs of this network or tool"),
    }),
    answers: { 200: { description: "Sums by network or tool, and a page of runs", schema: diskUsageSchema } },
  },
  "GET /api/server/checks": {
    operationId: "checkMachine",
    access: "admin",
    summary: "Check what this machine provides and lacks",
    description: "Runs the checks of `weft doctor`, which starts containers and needs at most a minute.",
    answers: { 200: { description: "The report", schema: machineReportSchema } },
  },
} as const satisfies RouteTable);
