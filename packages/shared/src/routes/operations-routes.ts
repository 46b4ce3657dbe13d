import { z } from "zod";
import { backendListSchema, diskUsageSchema, loadSchema, queueSchema } from "../records/operations-record.ts";
import { catalogIdSchema, pageQueryShape } from "../records/primitives.ts";
import type { RouteTable } from "./route.ts";

/** What people who run a server look at. */
export const operationsRoutes = {
  "GET /api/server/queue": {
    operationId: "getQueue",
    tag: "server",
    access: "viewer",
    summary: "Which jobs wait for what, by run",
    description:
      "Runs by priority, then by age. The jobs themselves are those of `/api/runs/{run_id}/jobs?state=QUEUED`.",
    query: z.object(pageQueryShape),
    answers: { 200: { description: "A page of runs", schema: queueSchema } },
    problems: ["invalid-parameters"],
  },
  "GET /api/server/load": {
    operationId: "getLoad",
    tag: "server",
    access: "viewer",
    summary: "Cores, memory and jobs of the last hours",
    description:
      "Jobs come from the log, also those of earlier servers; the use of the machine is known since this server started.",
    query: z.object({
      hours: z.coerce.number().int().min(1).max(24).optional().meta({ description: "Absent: 6" }),
    }),
    answers: { 200: { description: "120 intervals, the oldest first", schema: loadSchema } },
    problems: ["invalid-parameters"],
  },
  "GET /api/server/backends": {
    operationId: "listBackends",
    tag: "server",
    access: "viewer",
    summary: "Where jobs run",
    answers: { 200: { description: "This machine first", schema: backendListSchema } },
    problems: [],
  },
  "GET /api/server/disk": {
    operationId: "getDiskUsage",
    tag: "server",
    access: "viewer",
    summary: "What ended runs take on disk, by network and by run",
    description: "Disk use of the runs that you may see. Admins delete files with `POST /api/prune`.",
    query: z.object({
      ...pageQueryShape,
      process: catalogIdSchema.optional().meta({ description: "Only runs of this network or tool" }),
    }),
    answers: { 200: { description: "Sums by network or tool, and a page of runs", schema: diskUsageSchema } },
    problems: ["invalid-parameters"],
  },
} as const satisfies RouteTable;
