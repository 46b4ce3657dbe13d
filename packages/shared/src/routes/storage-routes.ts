import { z } from "zod";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { pruneReportSchema, pruneSchema } from "../records/storage-record.ts";
import type { RouteTable } from "./route.ts";

export const storageRoutes = {
  "POST /api/prune": {
    operationId: "prune",
    tag: "server",
    access: "admin",
    summary: "Remove what ended runs left on disk",
    description:
      "Nothing that an open run has or was given is ever touched. `?dry_run=true` answers what would be removed and removes nothing. Outputs and logs are removed only of a run that `run_id` names. What was removed stays on record; its addresses answer 410. Answers when all is done.",
    query: z.object({ dry_run: z.stringbool().optional() }),
    body: pruneSchema,
    answers: { 200: { description: "What was removed, or would be", schema: pruneReportSchema } },
    problems: [
      "malformed-json",
      "invalid-body",
      "invalid-parameters",
      "unsupported-media-type",
      "cross-origin",
      "run-not-found",
      "conflict",
      "draining",
      ...STORAGE_PROBLEMS,
    ],
  },
} as const satisfies RouteTable;
