import { z } from "zod";
import { runIdSchema } from "../records/primitives.ts";
import type { RouteTable } from "./route.ts";

const ZIP = "application/zip";

/** Zips that are made while they are sent. */
export const archiveRoutes = {
  "GET /api/runs/{run_id}/outputs.zip": {
    operationId: "getRunOutputsArchive",
    tag: "files",
    summary: "All outputs of a run in one zip",
    description:
      "Files and folders below `outputs/`, the output object as `outputs.json` with locations relative to itself, and `SHA1SUMS` for `sha1sum -c`. The zip is made while it is sent: it has no length beforehand and cannot be resumed.",
    params: z.object({ run_id: runIdSchema }),
    answers: { 200: { description: "The zip", mediaType: ZIP, headers: ["Content-Disposition"] } },
    problems: ["run-not-found", "file-not-found", "invalid-parameters"],
  },
} as const satisfies RouteTable;
