import { z } from "zod";
import { routesOf, type RouteTable } from "./route.ts";

const ZIP = "application/zip";

/** Zips that are made while they are sent. */
export const archiveRoutes = routesOf("files", {
  "GET /api/runs/{run_id}/outputs.zip": {
    operationId: "getRunOutputsArchive",
    access: "viewer",
    summary: "Download all outputs of a run as a zip",
    description:
      "Contains files and folders below `outputs/`, the output object `outputs.json` with relative locations, and `SHA1SUMS` for `sha1sum -c`. The server streams the zip: it has no `Content-Length` and cannot be resumed.",
    answers: { 200: { description: "The zip", mediaTypes: [ZIP], headers: ["Content-Disposition"] } },
    problems: ["run-not-found", "file-not-found"],
  },
  "GET /api/runs/{run_id}/jobs/{job_id}/bundle": {
    operationId: "getJobBundle",
    access: "viewer",
    summary: "Download a job, to repeat it by hand or to share it",
    description:
      "With `data=true`: input files, tool and inputs as CWL, logs, record, and `run.sh`, which repeats the job in a new folder on any machine with its programs or container engine. Otherwise: no data, no names, paths or texts of inputs, and nothing that the job wrote. `README.txt` lists what the zip contains and omits.",
    query: z.object({
      data: z.stringbool().optional().describe("Absent: false, which is safe to share"),
    }),
    answers: { 200: { description: "The zip", mediaTypes: [ZIP], headers: ["Content-Disposition"] } },
  },
} as const satisfies RouteTable);
