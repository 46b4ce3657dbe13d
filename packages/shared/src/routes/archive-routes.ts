import { z } from "zod";
import { jobIdSchema, runIdSchema } from "../records/primitives.ts";
import type { RouteTable } from "./route.ts";

const ZIP = "application/zip";

/** Zips that are made while they are sent. */
export const archiveRoutes = {
  "GET /api/runs/{run_id}/outputs.zip": {
    operationId: "getRunOutputsArchive",
    tag: "files",
    access: "viewer",
    summary: "All outputs of a run in one zip",
    description:
      "Files and folders below `outputs/`, the output object as `outputs.json` with locations relative to itself, and `SHA1SUMS` for `sha1sum -c`. The zip is made while it is sent: it has no length beforehand and cannot be resumed.",
    params: z.object({ run_id: runIdSchema }),
    answers: { 200: { description: "The zip", mediaTypes: [ZIP], headers: ["Content-Disposition"] } },
    problems: ["run-not-found", "file-not-found", "invalid-parameters"],
  },
  "GET /api/runs/{run_id}/jobs/{job_id}/bundle": {
    operationId: "getJobBundle",
    tag: "files",
    access: "viewer",
    summary: "One job to be repeated by hand, or to be shown to somebody",
    description:
      "With `data=true`: its input files and `run.sh`, which repeats the job in a fresh folder on any machine that has its programs or its container engine; the tool and the inputs as CWL, logs and record. Without: nothing of the data, no names, paths or texts of inputs, nothing that the job wrote; `README.txt` says what is in it and what was left out.",
    params: z.object({ run_id: runIdSchema, job_id: jobIdSchema }),
    query: z.object({
      data: z.stringbool().optional().meta({ description: "Absent: false, which is safe to be sent to others" }),
    }),
    answers: { 200: { description: "The zip", mediaTypes: [ZIP], headers: ["Content-Disposition"] } },
    problems: ["run-not-found", "job-not-found", "invalid-parameters"],
  },
} as const satisfies RouteTable;
