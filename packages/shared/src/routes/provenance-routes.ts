import { z } from "zod";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { reproduceSchema, runComparisonSchema } from "../records/comparison-record.ts";
import { fileOccurrenceListSchema, runLineageSchema } from "../records/lineage-record.ts";
import { runIdSchema } from "../records/primitives.ts";
import { runSchema } from "../records/run-record.ts";
import { numberQuery, pageQueryShape, textQuery, wholeQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

/** The origin of a file, the files made from it, and whether a new run would make an equal one. */
export const provenanceRoutes = routesOf("provenance", {
  "GET /api/provenance/files": {
    operationId: "findFiles",
    access: "viewer",
    summary: "Find files by run, job, name, checksum or tool",
    description:
      "Lists where runs and jobs read or wrote files; the newest names come first, each with its files. If many names match but the other filters do not, a page can have few entries or none, but still a `next_page_token` to continue the search. `total` is null if there is more than one page. `step`, `sample` and `port` require `run`.",
    query: z.object({
      ...pageQueryShape,
      run: z.string().max(64).optional(),
      job: z.string().max(200).optional(),
      step: z
        .string()
        .max(1000)
        .optional()
        .meta({
          description: "With `run`: read or written by jobs of this step (its path; empty: the run of a single tool)",
          examples: ["measure_subjects/smooth"],
        }),
      sample: textQuery(1000, "With `run`: read or written by jobs of this sample or of all samples"),
      port: z
        .string()
        .max(1000)
        .optional()
        .meta({
          description: "With `run`: read or written as this input or output",
          examples: ["smoothed"],
        }),
      direction: z.enum(["input", "output"]).optional(),
      scope: z
        .enum(["run", "job"])
        .optional()
        .describe("`run`: only inputs and outputs of whole runs; `job`: only those of jobs"),
      q: textQuery(200, "Part of the file name, or its beginning if shorter than 3 letters; ignores case of A–Z"),
      checksum: textQuery(200, "`sha1$…`, `sha256:…`, or the bare hexadecimal digits of either"),
      tool: textQuery(200, "Read or written by a job of this tool of the catalog"),
      version: textQuery(200, "Version of `tool`"),
    }),
    answers: { 200: { description: "Occurrences, newest first", schema: fileOccurrenceListSchema } },
  },
  "POST /api/provenance/crates": {
    operationId: "importCrate",
    access: "admin",
    summary: "Import a run of another server or engine from its crate",
    description:
      "The body is a crate of a run as a zip (`format=ro-crate`). Weft first checks every file and event against the checksums of the crate; it refuses a changed, damaged or hostile crate and names the fault. The run gets a new ID and records its origin (`imported`). You can search, compare, export and reproduce it; reproducing runs the commands of its document, so only admins may import. A Workflow Run Crate of another engine (runcrate for cwltool, StreamFlow, Galaxy, Nextflow) becomes a foreign run: you can search and export it, and compare it if it is a CWL run, but not reproduce it. `imported.foreign` lists what its crate lacks.",
    bodyMediaType: "application/zip",
    answers: { 201: { description: "The imported run", schema: runSchema, headers: ["Location", "ETag"] } },
    problems: [
      "invalid-crate",
      "conflict",
      "body-too-large",
      "unsupported-media-type",
      "draining",
      ...STORAGE_PROBLEMS,
    ],
  },
  "GET /api/runs/{run_id}/provenance": {
    operationId: "getRunProvenance",
    access: "viewer",
    summary: "Export a run as W3C PROV or as a crate with its files",
    description:
      "`prov-json` (default) is W3C PROV. `ro-crate` is a streamed zip: a Provenance Run Crate 0.5 on RO-Crate 1.1 and 1.2 with the document, every remaining file, an action for each attempt of each job, logs and events; `ro-crate-metadata` is only its `ro-crate-metadata.json` (`application/ld+json`). Crates require a finished run.",
    query: z.object({
      format: z.enum(["prov-json", "ro-crate", "ro-crate-metadata"]).optional().describe("Format of the response"),
    }),
    answers: {
      200: {
        description: "The provenance in the requested format",
        schema: z.record(z.string(), z.unknown()),
        mediaTypes: ["application/ld+json", "application/zip"],
      },
    },
    problems: ["conflict"],
  },
  "GET /api/runs/{run_id}/lineage": {
    operationId: "getRunLineage",
    access: "viewer",
    summary: "Get the lineage of a run: its steps, files and linked runs",
    description:
      "Within the run: steps, files by output port, and the flow between them, with all jobs of a scatter as one; with `sample`, only the jobs of that sample and those that all samples share. Across runs: runs whose outputs this run read, and runs that read its outputs, up to `depth` runs in each direction. The content of a file links two runs if it existed before the reading run started. Empty files link nothing.",
    query: z.object({
      depth: wholeQuery(1, 5, "Absent: 1"),
      sample: z
        .string()
        .max(1000)
        .optional()
        .meta({
          description: "Only this sample and jobs that all samples share; absent: all",
          examples: ["sub-01"],
        }),
    }),
    answers: { 200: { description: "The lineage", schema: runLineageSchema } },
  },
  "GET /api/runs/{run_id}/comparison": {
    operationId: "compareRuns",
    access: "viewer",
    summary: "Compare two runs and find the first difference",
    query: z.object({
      with: runIdSchema.describe("The other run"),
      relative: numberQuery(z.number().min(0).max(1)).optional().describe("Relative tolerance for numbers, 0 to 1"),
      absolute: numberQuery(z.number().min(0)).optional().describe("Absolute tolerance for numbers"),
    }),
    answers: { 200: { description: "The verdict", schema: runComparisonSchema } },
    problems: ["conflict"],
  },
  "POST /api/runs/{run_id}/reproduce": {
    operationId: "reproduceRun",
    access: "runner",
    summary: "Run a recorded run again and compare the outputs",
    description:
      "Starts a new run of the recorded document with the recorded inputs and options, whatever the catalog contains now, and without the cache. When it finishes, Weft compares its outputs with those of this run and stores the verdict in the new run (`reproduction`).",
    body: reproduceSchema,
    answers: { 201: { description: "The new run", schema: runSchema, headers: ["Location", "ETag"] } },
    problems: ["conflict", "unsupported-feature", "draining", "queue-full", ...STORAGE_PROBLEMS],
  },
} as const satisfies RouteTable);
