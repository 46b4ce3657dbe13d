import { z } from "zod";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { pruneReportSchema, pruneSchema } from "../records/storage-record.ts";
import { routesOf, type RouteTable } from "./route.ts";

export const storageRoutes = routesOf("server", {
  "POST /api/prune": {
    operationId: "prune",
    access: "admin",
    summary: "Delete files of finished runs",
    description:
      "Never deletes files that an unfinished run has or uses. `?dry_run=true` only lists the files. Outputs and logs require `run_id`. The record of deleted files remains; their URLs return 410. Responds when everything is deleted.",
    query: z.object({ dry_run: z.stringbool().optional() }),
    body: pruneSchema,
    answers: { 200: { description: "The files that were deleted, or would be", schema: pruneReportSchema } },
    problems: ["run-not-found", "conflict", "draining", ...STORAGE_PROBLEMS],
  },
} as const satisfies RouteTable);
