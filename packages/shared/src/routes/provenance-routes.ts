import { z } from "zod";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { reproduceSchema, runComparisonSchema } from "../records/comparison-record.ts";
import { fileOccurrenceListSchema, runLineageSchema } from "../records/lineage-record.ts";
import { pageQueryShape, runIdSchema } from "../records/primitives.ts";
import { runSchema } from "../records/run-record.ts";
import type { RouteTable } from "./route.ts";

const runParams = z.object({ run_id: runIdSchema });

/** What made a file, what was made from it, and whether it would be made alike again. */
export const provenanceRoutes = {
  "GET /api/provenance/files": {
    operationId: "findFiles",
    tag: "provenance",
    access: "viewer",
    summary: "Where files were read or written: search by run, job, name, checksum or tool",
    description:
      "Searches all runs for a part of the file name. The newest names come first, each with its files. The cost of a page does not depend on the number of files: if many names match but the other filters do not, a page has few entries or none, but still a `next_page_token` to continue the search. `total` is null if there is more than one page. `step`, `sample` and `port` need `run`.",
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
      sample: z
        .string()
        .max(1000)
        .optional()
        .meta({ description: "With `run`: of jobs of this sample, or of those that all samples share" }),
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
        .meta({ description: "`run`: only inputs and outputs of whole runs; `job`: only those of jobs" }),
      q: z.string().max(200).optional().meta({
        description:
          "Part of the file name, A–Z and a–z counting as equal; of one or two letters what the name begins with",
      }),
      checksum: z.string().max(200).optional().meta({
        description: "`sha1$…`, `sha256:…`, or the bare hexadecimal digits of either",
      }),
      tool: z
        .string()
        .max(200)
        .optional()
        .meta({ description: "Read or written by a job of this tool of the catalog" }),
      version: z.string().max(200).optional().meta({ description: "Version of `tool`" }),
    }),
    answers: { 200: { description: "Occurrences, newest first", schema: fileOccurrenceListSchema } },
    problems: ["invalid-parameters"],
  },
  "POST /api/provenance/crates": {
    operationId: "importCrate",
    tag: "provenance",
    access: "admin",
    summary: "Import a run of another server or engine from its crate",
    description:
      "The body is the zip that a Weft has made of a run (`format=ro-crate`). Every file and event is held against the checksums of the crate first; a changed, damaged or hostile one is refused, naming what is wrong. The run gets an id of this server, and says where it was made (`imported`). It can be searched, compared, exported and reproduced; reproducing runs the commands of its document, so an admin vouches for it. A Workflow Run Crate of another engine (runcrate for cwltool, StreamFlow, Galaxy, Nextflow) becomes a foreign run: it can be searched, compared if it is a CWL run, and exported, but not reproduced. `imported.foreign` says what its crate does not say.",
    bodyMediaType: "application/zip",
    answers: { 201: { description: "The run as it is here", schema: runSchema, headers: ["Location", "ETag"] } },
    problems: [
      "invalid-crate",
      "conflict",
      "body-too-large",
      "unsupported-media-type",
      "malformed-request",
      "cross-origin",
      "draining",
      ...STORAGE_PROBLEMS,
    ],
  },
  "GET /api/runs/{run_id}/provenance": {
    operationId: "getRunProvenance",
    tag: "provenance",
    access: "viewer",
    summary: "What the run did: W3C PROV, or a crate with all its files",
    description:
      "`prov-json` (default) and `prov-n` are W3C PROV. `ro-crate` is a zip that is made while it is sent: a Provenance Run Crate 0.5 on RO-Crate 1.1 and 1.2 with the document, every file that is still there, an action for each attempt of each job, logs and events; `ro-crate-metadata` is its `ro-crate-metadata.json` alone (`application/ld+json`). Crates are made of runs that have ended.",
    params: runParams,
    query: z.object({ format: z.enum(["prov-json", "prov-n", "ro-crate", "ro-crate-metadata"]).optional() }),
    answers: {
      200: {
        description: "In the format asked for",
        schema: z.record(z.string(), z.unknown()),
        mediaTypes: ["text/provenance-notation", "application/ld+json", "application/zip"],
      },
    },
    problems: ["run-not-found", "conflict", "invalid-parameters"],
  },
  "GET /api/runs/{run_id}/lineage": {
    operationId: "getRunLineage",
    tag: "provenance",
    access: "viewer",
    summary: "What a run was made from, and what was made from it since",
    description:
      "Within the run: its steps, the files by the port that they were written to, and what passes between them, with all jobs of a scatter as one; or, with `sample`, the jobs of that sample and those that all samples share. Across runs: those whose outputs this one has read, and those that have read its outputs, `depth` runs far in each direction; a run is linked by the content of a file that was there before the reading run began. Empty files link nothing.",
    params: runParams,
    query: z.object({
      depth: z.coerce.number().int().min(1).max(5).optional().meta({ description: "Absent: 1" }),
      sample: z
        .string()
        .max(1000)
        .optional()
        .meta({
          description: "Only this sample, with what all samples share; absent: all together",
          examples: ["sub-01"],
        }),
    }),
    answers: { 200: { description: "The lineage", schema: runLineageSchema } },
    problems: ["run-not-found", "invalid-parameters"],
  },
  "GET /api/runs/{run_id}/comparison": {
    operationId: "compareRuns",
    tag: "provenance",
    access: "viewer",
    summary: "Whether another run gave the same, and where it parted",
    params: runParams,
    query: z.object({
      with: runIdSchema.meta({ description: "The other run" }),
      relative: z.coerce
        .number()
        .min(0)
        .max(1)
        .optional()
        .meta({ description: "Tolerance of numbers, as a part of them" }),
      absolute: z.coerce.number().min(0).optional().meta({ description: "Tolerance of numbers as they are" }),
    }),
    answers: { 200: { description: "The verdict", schema: runComparisonSchema } },
    problems: ["run-not-found", "conflict", "invalid-parameters"],
  },
  "POST /api/runs/{run_id}/reproduce": {
    operationId: "reproduceRun",
    tag: "provenance",
    access: "runner",
    summary: "Run again what the log says that was run, and compare",
    description:
      "Starts a new run of the recorded document with the recorded inputs and options, whatever the current catalog contains, and without reusing results. When it finishes, Weft compares its outputs with those of this run and stores the verdict in the new run (`reproduction`).",
    params: runParams,
    body: reproduceSchema,
    answers: { 201: { description: "The new run", schema: runSchema, headers: ["Location", "ETag"] } },
    problems: [
      "run-not-found",
      "conflict",
      "malformed-json",
      "invalid-body",
      "invalid-parameters",
      "unsupported-media-type",
      "unsupported-feature",
      "cross-origin",
      "draining",
      "queue-full",
      ...STORAGE_PROBLEMS,
    ],
  },
} as const satisfies RouteTable;
